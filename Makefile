# Two commands for a fresh machine with Python 3.11 or later: `make demo` and `make test`. Both can be run again.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DEMO_HOME ?= $(VENV)/demo-home

.PHONY: demo test explore torture check install install-test clean

demo: install ## install, load the bundled catalogue, show three finds
	$(BIN)/octavo --home $(DEMO_HOME) demo

test: install-test check ## install, then check and test everything
	$(BIN)/python -m pytest -n auto

explore: install-test ## look for inputs that break a law, other ones each time
	OCTAVO_EXPLORE=1 $(BIN)/python -m pytest -n auto

torture: install-test ## kill a harvest of 20,000 records at 200 random moments; takes some minutes
	TORTURE_KILLS=200 TORTURE_RECORDS=20000 $(BIN)/python -m pytest -q tests/sync/test_process.py -k killed

check: install-test ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

install: $(VENV)/.installed
install-test: $(VENV)/.installed-test

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Octavo needs Python 3.11 or later; name one with: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

clean: ## remove the environment and all that was built
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
