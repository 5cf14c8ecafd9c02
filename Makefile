# Two commands do everything: `make demo` and `make test`. Both prepare what they need.
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find events games ledger -name '*.py' 2>/dev/null)

# The first interpreter that really runs and is new enough (a name on the PATH may be a shim that does not).
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$p" && break; done)

.PHONY: demo test test-slow test-browser lint bench clean help
help:
	@echo "make demo    play a whole bundled match through the real commands (in ./demo-match)"
	@echo "make test    lint, types and the test suite"
	@echo "make bench   the speed figures, as ratios in one run"

$(VENV)/run.stamp: pyproject.toml
	@test -n "$(PYTHON)" || { echo "host-ledger needs Python 3.11 or newer: install it, then run make again" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	@touch $@

demo: $(VENV)/run.stamp
	@$(BIN)/hl demo

$(VENV)/browser.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[browser]'
	@touch $@

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2

test-slow: $(VENV)/test.stamp
	HL_FULL=1 $(BIN)/pytest -n 2 -m 'not browser'

# The page of a replay in a real Chromium: $$HL_CHROMIUM, one on the PATH, or playwright's own.
test-browser: $(VENV)/browser.stamp
	$(BIN)/pytest -m browser tests/test_replay_browser.py

bench: $(VENV)/test.stamp
	$(BIN)/python bench/run.py

clean:
	rm -rf $(VENV) demo-match demo-match-* build dist .pytest_cache .mypy_cache .ruff_cache
