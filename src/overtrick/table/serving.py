"""Running the service: a free port, one line with the address, the browser, a quick end."""

from __future__ import annotations

import gc
import logging
import socket
import sys
import threading
import webbrowser

import uvicorn

from overtrick.errors import BadOption
from overtrick.table.service import create_app
from overtrick.table.storage import data_folder

__all__ = ["PORT", "serve"]

PORT = 8137
TRIES = 20
LOCAL = ("127.0.0.1", "localhost", "::1")
LONGEST_MESSAGE = 64 * 1024  # beyond which a socket is closed; shorter ones are refused in words


def serve(
    *, game: str = "", host: str = "127.0.0.1", port: int | None = None, browser: bool = True
) -> None:
    """Serve until Ctrl-C; a port that was not asked for is the next free one."""
    listener = _listener(host, port)
    try:
        app = create_app(data_folder(), hosts=_names_of(host), first_game=game)
        address = _address(host, listener.getsockname()[1])
        print(f"overtrick: the table is at {address} (Ctrl-C ends it)", flush=True)
        if host not in LOCAL:
            warning = "whoever can reach this machine over the network can play and use its time"
            print(f"overtrick: {warning}", file=sys.stderr, flush=True)
        if browser:
            _open_soon(f"{address}/#/new/{game}" if game else f"{address}/")
        sys.setswitchinterval(0.001)  # the thread that writes is waited for
        gc.set_threshold(50_000, 20, 50)  # tables hold much and drop little: seldom is enough
        logging.basicConfig(format="overtrick: %(message)s", level=logging.WARNING)
        _server(app).run(sockets=[listener])
    finally:
        listener.close()


def _names_of(host: str) -> tuple[str, ...]:
    """Under which names, besides those of every machine, the service is asked."""
    if host in LOCAL:
        return ()
    own = socket.gethostname().lower()
    return host.lower(), f"[{host.lower()}]", own, f"{own}.local", "*"


def _server(app: object) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,  # type: ignore[arg-type]
            log_config=None,
            log_level="warning",
            access_log=False,
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            ws_per_message_deflate=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


def _address(host: str, port: int) -> str:
    name = "127.0.0.1" if host in ("0.0.0.0", "::") else host
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _listener(host: str, port: int | None) -> socket.socket:
    """A socket that listens: on the port asked for, else on the usual one or the next free."""
    if port is not None and not 0 <= port < 2**16:
        raise BadOption(f"a port is 0 to 65535, not {port}")
    wanted = range(PORT, PORT + TRIES) if port is None else (port,)
    reason = ""
    for number in wanted:
        try:
            return _bound(host, number)
        except OSError as error:
            reason = error.strerror or str(error)
    ports = f"port {wanted[0]}" if len(wanted) == 1 else f"ports {wanted[0]} to {wanted[-1]}"
    raise BadOption(f"{ports} of {host} cannot be used: {reason}")


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(512)
    except OSError:
        listener.close()
        raise
    return listener


def _open_soon(address: str) -> None:
    """Open the browser, in a thread: some browsers keep their caller waiting."""
    threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
