# Every target makes what it needs on a fresh machine with Python 3.11+ and nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN := $(BIN)/python

.PHONY: web chat api spend demo test lint check format db-stop clean evals evals-results evals-changed model-check bench

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

# The first provider is judged by config.json's floors; the others stand beside it. Simulated ones are stubs on this machine.
EVALUATED := local,simulated-msd1,simulated-jev,local-no-context,ngrams,keywords,constant

evals: $(VENV)/.run          ## every suite offline, with baselines; the report is out/evals/index.html
	$(RUN) -m scripts.evaluate all --provider $(EVALUATED) --report out/evals

evals-results: $(VENV)/.run  ## the same, and the figures that the README and evals/results show
	$(RUN) -m scripts.evaluate all --provider $(EVALUATED) --report out/evals --run evals/results/run.json --readme README.md

evals-changed: $(VENV)/.run  ## the suites that a change can move: make evals-changed BASE=main
	$(RUN) -m scripts.evals_changed --base $(or $(BASE),main) $(ARGS)

model-check: $(VENV)/.run    ## check a real chat model: make model-check MODEL=openai/gpt-4.1-mini MAX_USD=1
	$(RUN) -m scripts.model_check $(if $(MODEL),--model $(MODEL)) $(if $(MAX_USD),--max-usd $(MAX_USD)) $(ARGS)

db-stop: $(VENV)/.run        ## stop the embedded PostgreSQL
	$(RUN) -m scripts.db_stop

bench: bench/.venv/.made     ## measure against other designs, into bench/results.md (about 15 minutes of a quiet machine)
	bench/.venv/bin/python -m bench

clean:
	rm -rf $(VENV) bench/.venv

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt requirements-otel.txt requirements.txt $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run

bench/.venv/.made: bench/requirements.txt requirements.txt
	$(PYTHON) -m venv bench/.venv
	bench/.venv/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	touch $@
