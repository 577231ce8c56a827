# Rollcone: everything from a fresh clone. The first call of any verb creates .venv
# and installs into it; later calls find it there.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Kernels of the tests and of the demo are kept in the user's cache folder.
WORKERS ?= 2

.PHONY: demo test test-all lint bench clean

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Rollcone needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	@echo "Creating $(VENV) and installing (once, about a minute) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $(READY)

demo: $(READY)
	@$(BIN)/python examples/heap_problem.py --folder out
	@$(BIN)/rollcone solve out/heap.h5 --tolerance 1e-4

test: $(READY) lint
	@$(BIN)/python tests/fill_kernel_cache.py
	@$(BIN)/python -m pytest -q -n $(WORKERS) -m "not slow"

test-all: $(READY) lint
	@$(BIN)/python tests/fill_kernel_cache.py
	@$(BIN)/python -m pytest -q -n $(WORKERS)

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY)
	@$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
