# Every target sets up what it needs; nothing has to be installed first but make and some python3.
#
#   make run                        chunk examples/sample.md as the Dify tool does
#   make run DOC=path MAX=1000      ... another document; also OVERLAP=, STRATEGY=, METADATA=false
#   make test                       format, lint, types and all tests; ARGS= goes to pytest
#   make package                    dist/markdown_chunker-VERSION.difypkg

READY := .venv/.ready
PYTHON := .venv/bin/python
DOC ?= examples/sample.md

.PHONY: run test format package clean
.DEFAULT_GOAL := run

$(READY): requirements.txt requirements-dev.txt scripts/setup.sh
	@sh scripts/setup.sh

run: $(READY)
	@$(PYTHON) -m scripts.run "$(DOC)" $(if $(MAX),max_chunk_size="$(MAX)") $(if $(OVERLAP),chunk_overlap="$(OVERLAP)") \
		$(if $(STRATEGY),strategy="$(STRATEGY)") $(if $(METADATA),include_metadata="$(METADATA)")

test: $(READY)
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest -n 2 $(ARGS)

format: $(READY)
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

package: $(READY)
	@$(PYTHON) -m scripts.package

clean:
	rm -rf .venv .tools dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
