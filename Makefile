# make play       sets up what playing needs and plays a deal
# make test       sets up, compiles once, runs every test
# make test-long  the longer proofs; run before an issue is closed
# make check      format, lint, strict types
# make docs       writes the tables in docs/games anew from the code
# make strength   measures the rulebook players and writes docs/strength.md anew
# make strength-search   measures the searching players: half an hour, resumed where stopped

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
JOBS ?= 2
GAME ?= hearts

.PHONY: play test test-long check format docs strength strength-search bench clean

play: $(VENV)/play-ready
	@$(BIN)/overtrick play --terminal $(GAME)

test: $(VENV)/test-ready
	@$(BIN)/overtrick compile --all
	@$(BIN)/python -m pytest -n $(JOBS)

test-long: $(VENV)/test-ready
	@$(BIN)/overtrick compile --all
	@$(BIN)/python -m pytest -n $(JOBS) -m long
	@OVERTRICK_EXAMPLES=long $(BIN)/python -m pytest -n $(JOBS) tests/test_properties.py

check: $(VENV)/test-ready
	@$(BIN)/ruff format --check src tests benchmarks docs examples
	@$(BIN)/ruff check src tests benchmarks docs examples
	@$(BIN)/mypy

format: $(VENV)/test-ready
	@$(BIN)/ruff format src tests benchmarks docs examples
	@$(BIN)/ruff check --fix src tests benchmarks docs examples

docs: $(VENV)/test-ready
	@$(BIN)/python docs/tables.py

strength: $(VENV)/test-ready
	@$(BIN)/python docs/strength.py

strength-search: $(VENV)/test-ready
	@$(BIN)/python docs/strength_search.py build/strength

bench: $(VENV)/play-ready
	@$(BIN)/overtrick bench

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/play-ready: pyproject.toml | $(BIN)/python
	@echo "setting up what playing needs, once" >&2
	@$(PIP) -e . 2>&1 | { grep -v '^WARNING: Location' || true; }
	@$(BIN)/python -c "import overtrick.cli"
	@touch $@

$(VENV)/test-ready: pyproject.toml constraints.txt | $(BIN)/python
	@echo "setting up what the tests need, once" >&2
	@$(PIP) -c constraints.txt -e '.[dev,oracles,plots]' 2>&1 | { grep -v '^WARNING: Location' || true; }
	@$(BIN)/python -c "import overtrick.cli, pytest, xdist, pyspiel, scipy, matplotlib"
	@touch $@ $(VENV)/play-ready
