# make play       sets up what playing needs and opens the table in the browser
# make test       sets up, compiles once, runs every test
# make test-long  the longer proofs; run before an issue is closed
# make test-minimum  the package with the oldest versions of everything that it allows, in a fresh environment
# make check      format, lint, strict types
# make site       builds the docs as a web site, build/site
# make page       builds the page anew into the package, with its types
# make pictures   takes the pictures of the table in docs/ anew
# make docs       writes the tables in docs/games anew from the code
# make strength   measures the rulebook players and writes docs/strength.md anew
# make curves     measures the models of fifteen minutes, and draws how they grew, for docs/training.md
# make ppo        measures the models of PPO, and draws how they learned, for docs/methods/ppo.md
# make deepcfr    measures the models of Deep CFR, and draws how they learned, for docs/methods/deepcfr.md
# make belief     reruns the thesis's experiments with belief players, for docs/methods/belief.md
# make ladder     writes the tables of docs/ladder.md from what `overtrick ladder` measured last
# make strength-dial     measures the steps of the table's strength dial, resumed where stopped
# make strength-search   measures the searching players: half an hour, resumed where stopped

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
JOBS ?= 3
GAME ?=
export PATH := $(PATH):$(CURDIR)/$(BIN)

.PHONY: play test test-long test-minimum compiled check format page pictures docs site strength ladder curves ppo deepcfr belief strength-dial strength-search bench clean

play: $(VENV)/play-ready
	@$(BIN)/overtrick play $(GAME)

test: compiled
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal --durations=40

test-long: compiled
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m long
	@OVERTRICK_EXAMPLES=long $(BIN)/python -m pytest -n $(JOBS) tests/test_properties.py

test-minimum: $(VENV)/test-ready
	@$(BIN)/python -m pytest tests/test_packaging.py -m long -k lowest

# Kernels need only what playing needs: they are compiled while the rest is set up, which waits for
# the network and for one core. From the sources, since setting up installs the package once more.
# Those of belief players are left out: the short tests have them in one small game.
compiled: $(VENV)/play-ready
	@PYTHONPATH=src $(BIN)/python -m overtrick compile --all --no-belief & compiling=$$!; \
	$(MAKE) --no-print-directory $(VENV)/test-ready $(VENV)/page-ready; ready=$$?; wait $$compiling && exit $$ready

check: $(VENV)/test-ready $(VENV)/page-ready
	@$(BIN)/ruff format --check src tests benchmarks docs examples
	@$(BIN)/ruff check src tests benchmarks docs examples
	@$(BIN)/mypy
	@MYPYPATH=src/overtrick/template/src $(BIN)/mypy -p newgame
	@cd web && npm run --silent check

format: $(VENV)/test-ready $(VENV)/page-ready
	@$(BIN)/ruff format src tests benchmarks docs examples
	@$(BIN)/ruff check --fix src tests benchmarks docs examples
	@cd web && npm run --silent format

page: $(VENV)/test-ready $(VENV)/page-ready
	@mkdir -p build
	@$(BIN)/python -m overtrick.table.spec > build/openapi.json
	@cd web && npm run --silent types && npm run --silent build

pictures: $(VENV)/test-ready $(VENV)/page-ready
	@$(BIN)/python docs/pictures.py

docs: $(VENV)/test-ready
	@$(BIN)/python docs/tables.py

site: $(VENV)/test-ready
	@$(BIN)/python docs/site.py build/site

strength: $(VENV)/test-ready
	@$(BIN)/python docs/strength.py

ladder: $(VENV)/test-ready
	@$(BIN)/python docs/ladder.py

curves: $(VENV)/test-ready
	@$(BIN)/python docs/curves.py

ppo: $(VENV)/test-ready
	@$(BIN)/python docs/ppo.py

deepcfr: $(VENV)/test-ready
	@$(BIN)/python docs/deepcfr.py

belief: $(VENV)/test-ready
	@$(BIN)/python docs/belief.py

strength-dial: $(VENV)/test-ready
	@$(BIN)/python docs/strength_dial.py build/strength-dial

strength-search: $(VENV)/test-ready
	@$(BIN)/python docs/strength_search.py build/strength

bench: $(VENV)/play-ready
	@$(BIN)/overtrick bench

clean:
	rm -rf $(VENV) web/node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/play-ready: pyproject.toml | $(BIN)/python
	@echo "setting up what playing needs, once" >&2
	@$(PIP) -e . 2>&1 | { grep -v '^WARNING: Location' || true; }
	@$(BIN)/python -c "import overtrick.cli"
	@touch $@

$(VENV)/page-ready: web/package.json web/package-lock.json | $(BIN)/python
	@scripts/install-node $(VENV)
	@scripts/install-chromium
	@echo "setting up what the page is built with, once" >&2
	@cd web && npm install --no-save --no-fund --no-audit --silent
	@touch $@

# PyTorch goes first, and in the version of constraints.txt: another would bring gigabytes of CUDA.
$(VENV)/test-ready: pyproject.toml constraints.txt | $(BIN)/python
	@echo "setting up what the tests need, once" >&2
	@$(PIP) -c constraints.txt torch 2>&1 | { grep -v '^WARNING: Location' || true; }
	@$(PIP) -c constraints.txt -e '.[dev,docs,oracles,plots,train,ray,rl,sb3,openspiel]' 2>&1 | { grep -v '^WARNING: Location' || true; }
	@$(BIN)/python -c "import overtrick.cli, pytest, xdist, pyspiel, scipy, matplotlib, playwright, schemathesis, torch, tensorboard, ray, gymnasium, pettingzoo, sb3_contrib"
	@touch $@ $(VENV)/play-ready
