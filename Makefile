# Every target sets up what it needs; nothing has to be installed first but make and some python3.
#
#   make run                        chunk examples/sample.md as the Dify tool does
#   make run DOC=path MAX=1000      ... another document; also OVERLAP=, STRATEGY=, METADATA=false, SET="name=value ..."
#   make test                       format, lint, types and all tests; ARGS= goes to pytest
#   make test-corpus                the checks of Dify's structures over every document of the corpus, not a sample
#   make marketplace-check          the rules of Dify and of its marketplace
#   make pictures                   draw docs/images again
#   make goldens                    write the golden files anew, for review with git diff
#   make bench                      the chunkers side by side: docs/performance.md anew; CORPUS=path, BENCH="--rounds 3 ..."
#   make test-ray                   the recipe for Ray Data, on a real Ray, in an environment of its own
#   make package                    dist/markdown_chunker-VERSION.difypkg

READY := .venv/.ready
PYTHON := .venv/bin/python
DOC ?= examples/sample.md
UV = $(or $(shell command -v uv),.tools/bin/uv)
CORPUS ?= $(wildcard ../shared/corpus)

.PHONY: run test goldens test-corpus marketplace-check pictures bench test-ray format package clean
.DEFAULT_GOAL := run

$(READY): requirements.txt requirements-dev.txt scripts/setup.sh
	@sh scripts/setup.sh

run: $(READY)
	@$(PYTHON) -m scripts.run "$(DOC)" $(if $(MAX),max_chunk_size="$(MAX)") $(if $(OVERLAP),chunk_overlap="$(OVERLAP)") \
		$(if $(STRATEGY),strategy="$(STRATEGY)") $(if $(METADATA),include_metadata="$(METADATA)") $(SET)

test: $(READY)
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m ruff check .
	$(PYTHON) -m mypy
	$(PYTHON) -m pytest -n 2 $(ARGS)

format: $(READY)
	$(PYTHON) -m ruff format .
	$(PYTHON) -m ruff check --fix .

test-corpus: $(READY)
	WHOLE_CORPUS=1 $(PYTHON) -m pytest -n 2 tests/dify/test_structures.py $(ARGS)

marketplace-check: $(READY)
	@$(PYTHON) -m scripts.marketplace

pictures: $(READY)
	@$(PYTHON) -m scripts.pictures

goldens: $(READY)
	UPDATE_GOLDENS=1 $(PYTHON) -m pytest tests/test_goldens.py
	@git status --short tests/golden

.bench/speed/.ready: benchmarks/requirements-speed.txt requirements.txt | $(READY)
	@$(UV) venv --quiet --clear --python $(PYTHON) .bench/speed
	@$(UV) pip install --quiet --python .bench/speed/bin/python -r benchmarks/requirements-speed.txt
	@touch $@

bench: .bench/speed/.ready
	@.bench/speed/bin/python -m benchmarks.speed $(if $(CORPUS),--corpus "$(CORPUS)") --json benchmarks/speed/results.json \
		--plot docs/images/speed.svg --page docs/performance.md $(BENCH)

.bench/ray/.ready: integrations/requirements-ray.txt requirements.txt | $(READY)
	@$(UV) venv --quiet --clear --python $(PYTHON) .bench/ray
	@$(UV) pip install --quiet --python .bench/ray/bin/python -r integrations/requirements-ray.txt
	@touch $@

test-ray: .bench/ray/.ready
	PYTHONPATH=. .bench/ray/bin/python -m pytest -q -c /dev/null --rootdir . -p no:cacheprovider integrations/tests $(ARGS)

package: $(READY)
	@$(PYTHON) -m scripts.package

clean:
	rm -rf .venv .tools .bench dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
