# The README's commands under short names. Nothing here does more than they do.
PYTHON ?= python3
VENV ?= .venv

.PHONY: run test lint format docs bench clean

run: $(VENV)
	$(VENV)/bin/robustfim run suites/sentiment.yaml

test: $(VENV)
	$(VENV)/bin/python -m pytest -n 2

lint: $(VENV)
	$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check . && $(VENV)/bin/mypy

format: $(VENV)
	$(VENV)/bin/ruff check --fix . && $(VENV)/bin/ruff format .

# The pages as the product is today, or one of them: make docs PAGE=docs/gating.md
docs: $(VENV)
	$(VENV)/bin/python -m docs.rewrite $(PAGE)

bench: $(VENV)
	$(VENV)/bin/python -m benchmarks

clean:
	rm -rf $(VENV) .robustfim build dist

$(VENV): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install -q -c constraints.txt -e '.[dev]'
	touch $(VENV)
