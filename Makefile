# Two commands are all a newcomer needs: `make serve` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: help serve test check format bench lock clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /	/' | sort

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("Greffier needs Python 3.11 or newer, and this is " + sys.version.split()[0] + ": try make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: requirements.lock pyproject.toml $(VENV)/.made
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@touch $@

serve: $(VENV)/.run ## set everything up and run the server
	@$(BIN)/greffier serve

test: $(VENV)/.dev ## set everything up and run all tests
	$(BIN)/python -m pytest -q -n $(JOBS)

check: $(VENV)/.dev ## format, lint, types, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## let the formatter have its word
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev ## one table of ratios, each measured within one run
	$(BIN)/python -m benchmarks

lock: $(VENV)/.dev ## resolve the dependencies anew; the files name no registry
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml --group dev -o requirements-dev.lock

clean: ## forget the virtual environment
	rm -rf $(VENV)
