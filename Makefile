# Every target makes what it needs on a fresh machine with Python 3.11+ and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python

.PHONY: web chat api spend demo test lint check format db-stop clean

web: $(VENV)/.run            ## the page, on http://localhost:8501
	$(BIN)/streamlit run app.py

chat: $(VENV)/.run           ## a conversation in the terminal
	$(RUN) -m scripts.chat

api: $(VENV)/.run            ## the HTTP API, on http://localhost:8000/docs
	$(BIN)/uvicorn api:app --host 127.0.0.1 --port 8000 --timeout-graceful-shutdown 10

spend: $(VENV)/.run          ## what was spent, by provider, specialist and number of transfers
	$(RUN) -m scripts.spend

demo: $(VENV)/.run           ## the scenarios, played
	$(RUN) -m scripts.demo

test: $(VENV)/.dev           ## everything (what the gate runs)
	$(RUN) -m pytest

lint: $(VENV)/.dev           ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright

check: lint                  ## format, lint, types, quick tests
	$(RUN) -m pytest -m "not db and not browser and not slow and not torture"

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

db-stop: $(VENV)/.run        ## stop the embedded PostgreSQL
	$(RUN) -m scripts.db_stop

clean:
	rm -rf $(VENV)

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt requirements.txt $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run
