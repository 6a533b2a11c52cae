# make lab     open the lessons in JupyterLab
# make test    run every test
PYTHON ?= python3
LESSON ?= notebooks/01_the_bottleneck.ipynb
BIN = .venv/bin/python
PIP = $(BIN) -m pip --disable-pip-version-check
COMPILE = $(BIN) -m uv pip compile --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --no-annotate --custom-compile-command "make requirements"

.PHONY: lab demo test chromium notebooks format requirements size frozen bench \
	mutants robust fuzz classroom picture catalogues notebook7 axe tag
.NOTPARALLEL:

lab: .venv/lab.stamp
	@echo "The browser opens the lesson. If none opens, open the last address below."
	@echo "Control-C, pressed twice, stops JupyterLab."
	@$(BIN) -m jupyterlab --allow-root --log-level=ERROR \
		--LabApp.default_url="/lab/tree/$(LESSON)"

# Every explorer on one page, for a projector: no menus, no code.
demo: .venv/lab.stamp
	@echo "The browser opens the demo. If none opens, open the last address below."
	@echo "Press Run, Run All Cells once. Control-C, pressed twice, stops JupyterLab."
	@$(BIN) -m jupyterlab --allow-root --log-level=ERROR \
		--LabApp.default_url="/doc/tree/notebooks/demo.ipynb"

test: .venv/dev.stamp
	$(BIN) -m pytest -n logical

# Debian's package; the browser tests find any Chromium or Chrome on the PATH.
chromium:
	@if command -v chromium || command -v google-chrome; then :; \
	elif ! command -v apt-get >/dev/null; then \
		echo "Install Chromium or Chrome so that it is on the PATH."; exit 1; \
	elif [ "$$(id -u)" -ne 0 ]; then \
		echo "Installing Chromium needs root: sudo make chromium"; exit 1; \
	else \
		apt-get update && \
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; \
	fi

# All lessons, or the named ones: make notebooks ONLY="01_the_bottleneck"
notebooks: .venv/dev.stamp
	$(BIN) notebooks/source/build.py $(ONLY)

# The sentences of the package for translators, and what they wrote, compiled.
catalogues: .venv/dev.stamp
	$(BIN) -m mha_core.recipes.catalogues

# The picture in the README.
picture: .venv/lab.stamp
	$(BIN) -c "from mha_core import lab, pretrained; \
	said = pretrained.pronounce(pretrained.load('bahdanau'), 'knight'); \
	lab.alignment(said).figure.savefig('docs/knight.png', bbox_inches='tight')"

format: .venv/dev.stamp
	$(BIN) -m ruff check --fix
	$(BIN) -m ruff format

# Keeps the pins that still fit; make requirements UPGRADE=--upgrade renews all.
requirements: .venv/python.stamp
	$(PIP) install --quiet --constraint requirements-dev.txt uv
	$(COMPILE) $(UPGRADE) --extra lab pyproject.toml -o requirements.txt
	$(COMPILE) $(UPGRADE) --group dev -c requirements.txt -o requirements-dev.txt
	echo "-e .[lab]" >> requirements.txt

# What torch and Keras compute, for the tests to compare with.
frozen: .venv/bench.stamp
	$(PIP) install --quiet keras==3.15.1 jax==0.10.2
	$(BIN) tests/make_frozen.py
	$(BIN) tests/make_hidden_rows.py
	$(BIN) tests/make_torch_weights.py
	$(BIN) tests/make_reader_values.py
	$(BIN) tests/make_conventions.py

# How fast it is, in ratios to bare products and to torch, on one thread.
bench: .venv/bench.stamp
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN) -m bench

# Faults that tests and lessons must notice; goes on where it stopped.
mutants: .venv/dev.stamp
	$(BIN) -m pytest tests/planting.py
	PYTHONPATH=tests $(BIN) -m mutants

# Odd inputs for every public function of the maths.
fuzz: .venv/dev.stamp
	FUZZ=10000 $(BIN) -m pytest tests/test_fuzz.py tests/test_fuzz_counts.py tests/test_fuzz_layers.py

# Students who pull new lessons, and what eight of them cost.
classroom: .venv/dev.stamp
	$(PIP) install --quiet nbgitpuller==1.3.0
	$(BIN) -m pytest tests/pulling.py
	$(BIN) -m bench.classroom

# Names the last commit by the version of the package, such as v0.2.0.
tag: .venv/dev.stamp
	$(BIN) -m pytest -q tests/test_habits.py
	git diff --quiet HEAD
	git tag -a "v$$($(BIN) -c 'import mha_core; print(mha_core.__version__)')" \
		-m "What is new: CHANGELOG.md"

# A lesson in Notebook 7, in a browser.
notebook7: .venv/dev.stamp
	$(PIP) install -qq notebook==7.6.5
	$(BIN) -m pytest tests/notebook7.py

# Every live view, for people who cannot see it; npm gets axe-core into a new folder.
axe: .venv/dev.stamp
	@new=$$(mktemp -d) && npm install --silent --prefix "$$new" axe-core@4.14.1 && \
	AXE="$$new/node_modules/axe-core/axe.min.js" $(BIN) -m pytest tests/axe.py; \
	code=$$?; rm -r "$$new"; exit $$code

# The tests in all places where readers are; goes on where it stopped.
robust: .venv/dev.stamp
	PYTHONPATH=tests $(BIN) -m robust

# The disk space of requirements.txt in a new environment, in MB.
size:
	@new=$$(mktemp -d) && $(PYTHON) -m venv "$$new" && \
	"$$new/bin/python" -m pip install -q --no-cache-dir -r requirements.txt && \
	du -sm "$$new" && rm -r "$$new"

.venv/python.stamp:
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11))" || \
		{ echo "Python 3.11 or later is needed: make PYTHON=python3.12 lab"; exit 1; }
	@$(PYTHON) -c "import ensurepip, venv" 2>/dev/null || \
		{ echo "This Python cannot make environments; on Debian and Ubuntu:" \
		"apt-get install python3-venv"; exit 1; }
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/lab.stamp: .venv/python.stamp requirements.txt pyproject.toml
	@echo "Installing what the lessons need into .venv; this takes about two minutes."
	@$(PIP) install -qq -r requirements.txt
	@touch $@

.venv/dev.stamp: .venv/lab.stamp requirements-dev.txt
	@echo "Installing what the tests need; this takes about a minute."
	@$(PIP) install -qq -r requirements-dev.txt
	@touch $@

# Any other spelling of this version takes gigabytes.
.venv/bench.stamp: .venv/dev.stamp
	$(PIP) install torch==2.13.0
	@touch $@
