# One virtual environment, .venv, serves every target. It is made on first use from the hashed
# locks and is reused, without the network, until pyproject.toml or a lock changes.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
unexport PYTHONPATH PYTHONHOME
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCAL := $(VENV)/.ready-local
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

# PYTHON=/path/to/python chooses the interpreter; otherwise the first of these that is new enough.
PYTHONS := $(or $(PYTHON),python3.11 python3.12 python3.13 python3.14 python3)
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))

MUTANTS := .cache/mutants/venv
FILES ?= src/handrail/protocol/*.py src/handrail/contract/*.py

WORKERS ?= 2
WEIGHTS := $(HANDRAIL_MODEL)$(wildcard $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/handrail/models/*.gguf)
UNTESTED_BY_DEFAULT := live or soak or kill or fuzz or peers

.PHONY: help setup check test fix docs bench demo live soak fuzz peers mutants lock clean

help: ## Print the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-7s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## Make .venv from the locks

check: $(READY) ## Format, lint, types, generated docs
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; exit 1; }
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary src $(wildcard tests/typing)
	@if [ -f scripts/generate_docs.py ]; then $(BIN)/python scripts/generate_docs.py --check; fi
	@echo "check: format, lint, types and generated docs are in order"

test: check ## All checks, then all tests
	@HYPOTHESIS_PROFILE=ci $(BIN)/pytest -n $(WORKERS)

fix: $(READY) ## Format, and repair what the linter can
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

docs: $(READY) ## Generate the reference pages from the tables
	@$(BIN)/python scripts/generate_docs.py

bench: $(READY) ## Run the benchmark
	@$(BIN)/python bench/run.py

demo: $(READY) $(if $(LIVE)$(WEIGHTS),demo-engine) ## Show what it does; LIVE=1 with a real local model
	@$(BIN)/handrail demo $(if $(LIVE),--live,--live-if-cached)

live: $(LOCAL) ## Tests with a real local model
	@$(BIN)/pytest -q -m live

soak: $(READY) ## Long runs, and runs that are killed and recovered
	@$(BIN)/pytest -q -m "soak or kill"

fuzz: $(READY) ## Every property test with many more examples, and the fuzz tests
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -q -n $(WORKERS) -m "fuzz or (hypothesis and not ($(UNTESTED_BY_DEFAULT)))"

peers: $(READY) ## Comparisons with other libraries
	@$(BIN)/pytest -q -m peers

mutants: $(MUTANTS)/.ready ## Mutation testing of FILES; AGAIN=1 only what was left
	@$(MUTANTS)/bin/python scripts/mutants.py $(if $(AGAIN),--again) $(FILES)

lock: ## Write the locks again from pyproject.toml; UPGRADE=1 takes newer versions
	@$(find_python); "$$python" -m venv .cache/lock
	@.cache/lock/bin/python -m pip --disable-pip-version-check --quiet install 'uv>=0.13,<0.14'
	@$(COMPILE) --extra cli --extra models --extra sql --group dev --output-file constraints.txt
	@$(COMPILE) --extra local --constraint constraints.txt --output-file constraints-local.txt

clean: ## Remove .venv, caches and builds
	@rm -rf $(VENV) .cache .hypothesis dist build
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# No setting of the machine may reach a lock: neither other indexes nor folders of wheels.
COMPILE := env -u PIP_FIND_LINKS -u PIP_INDEX_URL -u PIP_EXTRA_INDEX_URL \
	-u UV_FIND_LINKS -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL \
	.cache/lock/bin/uv pip compile --quiet --no-config --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	$(if $(UPGRADE),--upgrade) pyproject.toml

define find_python
python=; for candidate in $(PYTHONS); do \
  if "$$candidate" -c '$(NEW_ENOUGH)' 2>/dev/null; then python=$$candidate; break; fi; \
done; \
if [ -z "$$python" ]; then \
  echo "handrail needs Python 3.11 or newer, and none of these is: $(PYTHONS)." >&2; \
  echo "Name one: make PYTHON=/path/to/python3.11 ..." >&2; \
  exit 1; \
fi
endef

$(READY): pyproject.toml constraints.txt
	@$(find_python); \
	echo "setup: making $(VENV) with $$("$$python" --version) from the locks, about half a minute"; \
	"$$python" -m venv $(VENV)
	@$(PIP) install --require-hashes --requirement constraints.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(LOCAL): $(READY) constraints-local.txt
	@echo "setup: installing the engine for local models (about 100 MB)"
	@$(PIP) install --require-hashes --requirement constraints-local.txt
	@touch $@

# mutmut is no part of the locks: nothing else needs it.
$(MUTANTS)/.ready: constraints.txt
	@$(find_python); "$$python" -m venv $(MUTANTS)
	@$(MUTANTS)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement constraints.txt
	@$(MUTANTS)/bin/python -m pip --disable-pip-version-check --quiet install mutmut==3.8.1
	@touch $@

# Weights may be there without the engine: if it cannot be had, the demo plays its recording.
.PHONY: demo-engine
demo-engine: $(READY)
	@$(MAKE) $(LOCAL) || echo "demo: the engine for local models could not be installed"
