# Rollcone: everything from a fresh clone. The first call of any verb creates .venv
# and installs into it; later calls find it there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEMO_READY := $(VENV)/.demo-ready
DOCS_READY := $(VENV)/.docs-ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
WORKERS ?= 2
# What the build of the library needs, as pyproject.toml has it.
REQUIRES := import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'])
# Times of phases are kept until `make demo` has told them.
PHASES := $(VENV)/.phases
BEGIN := begin=$$(date +%s); phase() { echo "  $$(( $$(date +%s) - begin )) s  $$1" >> $(PHASES); }

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint soak bench docs clean

help:  ## this list
	@echo "Verbs of make (the first call creates $(VENV) and installs into it):"
	@sed -n 's/^\([a-z-]*\):.*## /\1:/p' $(firstword $(MAKEFILE_LIST)) \
	  | awk -F: '{ printf "  %-10s %s\n", $$1, $$2 }'

$(VENV)/.made:
	@command -v "$(PYTHON)" > /dev/null \
	  || { echo "There is no $(PYTHON) here; name a Python with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rollcone needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@echo "Creating $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@touch $@

# The kernel library is built here, where its progress is seen; pip would hide it, and finds it done.
# It is built again only if sources of kernels have changed.
BUILD_NEEDS := $(VENV)/.build-needs
$(BUILD_NEEDS): $(VENV)/.made pyproject.toml
	@$(BEGIN); echo "Installing what the kernel library is built with (once) ..."; \
	  $(PIP) $$($(BIN)/python -c "$(REQUIRES)") && touch $@ && phase "installing build tools"

.PHONY: library
library: $(BUILD_NEEDS)
	@$(BEGIN); PYTHONPATH=src $(BIN)/python -m rollcone._build --if-needed && phase "building kernels"

$(DEMO_READY): $(BUILD_NEEDS) pyproject.toml | library
	@$(BEGIN); echo "Installing Rollcone with what pictures and the browser need (once) ..."; \
	  $(PIP) --no-build-isolation --editable ".[render,view]" && touch $@ && phase "installing Rollcone"

$(READY): $(DEMO_READY)
	@echo "Installing what tests need (once) ..."
	@$(PIP) --no-build-isolation --editable ".[dev]"
	@touch $@

$(DOCS_READY): $(DEMO_READY)
	@echo "Installing what the documentation site needs (once) ..."
	@$(PIP) --no-build-isolation --editable ".[docs]"
	@touch $@

# Where there is no OpenGL at all, the picture is one of curves.
demo: $(DEMO_READY) library  ## a heap of 1,000 spheres poured, simulated and drawn, in out/
	@mkdir -p out
	@$(BEGIN); echo "Pouring 1,000 spheres ..."; \
	  $(BIN)/rollcone run examples/scenes/heap.toml --output out/heap.h5 --overwrite \
	  && phase "simulating"
	@$(BEGIN); { $(BIN)/rollcone render out/heap.h5 --output out/heap.png --colour force --overwrite \
	  || $(BIN)/rollcone plot out/heap.h5 --output out/heap.png --overwrite; } && phase "drawing"
	@echo "What each phase took:"; cat $(PHASES); rm -f $(PHASES)
	@echo "Open out/heap.png; in the browser: $(BIN)/rollcone view out/heap.h5"

test: $(READY) library  ## lint and the tests, without the slow ones
	@$(MAKE) --no-print-directory lint
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -m "not slow"

test-all: $(READY) $(DOCS_READY) library lint  ## lint and all tests
	@HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -q -n $(WORKERS)

lint: $(READY)  ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

# Findings go to out/soak; `make soak SECONDS=60 SEED=1000` for a minute of other scenes.
SECONDS := 3600
SEED := 0
soak: $(READY) library  ## random scenes for an hour, and what must hold of them
	@$(BIN)/python tests/soak --seconds $(SECONDS) --seed $(SEED) --out out/soak

bench: $(READY) library  ## the measurements
	@$(BIN)/python -m benchmarks

# Warnings are errors. Nothing is simulated, and nothing is fetched.
docs: $(DOCS_READY)  ## the documentation site, in out/site
	@$(BIN)/python -m sphinx -W --keep-going -q -b html -d out/doctrees docs out/site
	@echo "Open out/site/index.html"

clean:  ## remove what make has made, with .venv
	rm -rf $(VENV) out build dist src/rollcone/_library .pytest_cache .mypy_cache .ruff_cache .hypothesis
