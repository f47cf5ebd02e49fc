# `make demo` and `make test` do all the set-up themselves on a fresh Debian 12. All output goes to build/.
.DEFAULT_GOAL := help
PYTHON := /usr/bin/python3
NDNF := build/default/cli/ndnf

BUILD_PACKAGES := g++ cmake ninja-build ccache libfmt-dev nlohmann-json3-dev libtomlplusplus-dev libcli11-dev \
	librandom123-dev libboost-dev libcpp-httplib-dev pkg-config gringo z3
PACKAGE_PACKAGES := python3-dev
# Other distributions of Node.js bring npm along, and exclude Debian's.
NODE_PACKAGES := $(if $(and $(shell command -v node),$(shell command -v npm)),,nodejs npm)
TEST_PACKAGES := $(BUILD_PACKAGES) libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev python3 python3-venv \
	zsh fish libopenmpi-dev openmpi-bin chromium $(NODE_PACKAGES)
CLANG_PACKAGES := clang-14 libclang-rt-14-dev

# Tests and benchmarks need more packages, so a first build without them leaves them out.
PROGRAM_ONLY = $(if $(wildcard build/default/build.ninja),,-DNDNF_TESTS=OFF -DNDNF_BENCH=OFF)
RUN_TESTS = ctest --output-on-failure --parallel $$(nproc) --test-dir

.PHONY: help
help:  ## lists the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 22

.PHONY: demo
demo: build  ## runs a guided tour of ndnf, about a minute
	@examples/demo.sh $(NDNF)

.PHONY: studio
studio: build  ## trains Door Corridor and opens the studio on it
	@rm -rf build/studio
	@$(NDNF) train door-corridor-ndnf-mt --out build/studio/door-corridor
	@$(NDNF) studio build/studio/door-corridor

.PHONY: test
test: test-setup  ## builds everything and runs all tests
	@tools/build default -DNDNF_TESTS=ON -DNDNF_BENCH=ON
	@echo "test       build/default"
	@$(RUN_TESTS) build/default
	@$(MAKE) --no-print-directory python

.PHONY: build
build:  ## builds the program, build/default/cli/ndnf
	@tools/install-packages $(BUILD_PACKAGES)
	@tools/build default $(PROGRAM_ONLY) ndnf

.PHONY: wheel
wheel: test-setup  ## builds the Python package, dist/*.whl, for machines without a compiler
	@tools/install-packages $(BUILD_PACKAGES) $(PACKAGE_PACKAGES)
	@tools/build-wheel dist

.PHONY: python
python: wheel  ## installs the wheel into a fresh virtual environment and runs its tests
	@tools/test-wheel dist build/python-venv

# Made by the tests of the package.
build/python-venv/bin/ndnf:
	@$(MAKE) --no-print-directory python

.PHONY: python-asan python-coverage
python-asan: python  ## runs the Python tests with the address and undefined-behaviour sanitizers
	@tools/test-instrumented asan build/python-venv

python-coverage: python  ## counts the functions of the binding layer that the Python tests call: at least 95 %
	@tools/test-instrumented coverage build/python-venv
	@tools/binding-coverage build/coverage 95

PREFIX ?= /usr/local
.PHONY: install
install: build  ## installs program, library, headers and CMake package below PREFIX (/usr/local)
	@ninja -C build/default --quiet ndnf ndnf_archive
	@echo "install    $(PREFIX)"
	@tools/quietly build/install.log cmake --install build/default --prefix $(abspath $(PREFIX))

.PHONY: study
study: build test-setup  ## runs the long studies; writes docs/{results,results-control,threshold-networks,own-tasks,training-study,hot-start-study,round-trips,sampled,gymnasium,sb3-study}.md
	@echo "study      every table and figure of the paper, all seeds; resumes where it was stopped"
	@NDNF_PROBLOG_PYTHON=$(CURDIR)/build/venv/bin/python $(NDNF) reproduce --out build/reproduce > build/reproduce.log
	@rm -rf docs/results
	@cp -r build/reproduce/results build/reproduce/results.md docs
	@echo "study      round trips: each of its programs compiled and extracted again"
	@$(PYTHON) tools/study-round-trips $(NDNF) build/reproduce/runs/paper docs/round-trips.md
	@echo "study      the effect of each improvement in the best presets"
	@$(PYTHON) tools/study-training $(NDNF) build/study docs/training-study.md
	@echo "study      one recipe on tasks that it was not made for"
	@$(PYTHON) tools/study-own-tasks $(NDNF) docs/own-tasks.md
	@echo "study      rules for control tasks, in Gymnasium's environments"
	@$(MAKE) --no-print-directory build/python-venv/bin/ndnf
	@build/python-venv/bin/pip install --quiet --disable-pip-version-check --requirement tools/requirements-control.txt
	@build/python-venv/bin/python tools/study-control $(NDNF) build/study-control docs/results-control.md --jobs $$(nproc)
	@echo "study      networks with threshold atoms, learned and extracted"
	@$(PYTHON) tools/study-threshold-networks $(NDNF) build/study-threshold-networks docs/threshold-networks.md
	@echo "study      training that starts from rules"
	@$(PYTHON) tools/study-hot-start $(NDNF) build/study/hot-start docs/hot-start-study.md
	@echo "study      10^7 episodes per environment against the exact value"
	@$(PYTHON) tools/study-sampling $(NDNF) 10000000 docs/sampled.md
	@echo "study      Gymnasium's environments, learned, extracted and played"
	@$(MAKE) --no-print-directory build/python-venv/bin/ndnf
	@build/python-venv/bin/python tools/study-gymnasium 100000 docs/gymnasium.md
	@$(MAKE) --no-print-directory wheel build/sb3-venv/made
	@echo "study      teachers of Stable-Baselines3"
	@build/sb3-venv/bin/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall $$(ls -t dist/*.whl | head -1)
	@build/sb3-venv/bin/python tools/study-sb3 docs/sb3-study.md
	@build/sb3-venv/bin/python tools/run-notebooks examples/notebooks/sb3-teacher.ipynb

.PHONY: torture
torture: build  ## kills training, extraction and reproduction 1,000 times, and checks that nothing is lost
	@echo "torture    $(NDNF)"
	@$(PYTHON) tools/torture $(NDNF) 1000

.PHONY: bench
bench: test-setup  ## measures speed, beside Storm and scikit-learn; writes docs/scaling.md
	@tools/install-packages $(BUILD_PACKAGES) libbenchmark-dev
	@tools/build default $(PROGRAM_ONLY) -DNDNF_BENCH=ON ndnf ndnf_bench scaling
	@build/venv/bin/pip install --quiet --requirement tools/requirements-bench.txt
	@echo "bench      build/default/bench"
	@build/default/bench/ndnf_bench
	@build/venv/bin/python tools/study-scaling build/default/bench/scaling $(NDNF) docs/scaling.md docs/scaling.svg
	@echo "bench      the Python package"
	@$(MAKE) --no-print-directory build/python-venv/bin/ndnf
	@build/python-venv/bin/python tools/bench-python $(NDNF)

.PHONY: mutation
mutation: test-setup  ## breaks the code in one place at a time and finds which tests fail; writes docs/mutation.md
	@$(PYTHON) tools/mutation/mutation.py --fresh-seed $$(date +%Y%m%d) build/mutation docs/mutation.md

.PHONY: fuzz
fuzz: test-setup build  ## feeds every reader 10^7 mutated inputs (libFuzzer, clang 14), the certificate checker 10^5
	@tools/install-packages $(CLANG_PACKAGES)
	@tools/build fuzz -DNDNF_BENCH=OFF fuzz_all
	@tools/fuzz build/fuzz
	@echo "fuzz       the certificate checker"
	@build/venv/bin/python -W error tests/referee/mutations_test.py $(NDNF) 25000

.PHONY: pictures
pictures: test-setup  ## makes the screenshots in docs/pictures anew, by the browser tests
	@tools/build default -DNDNF_TESTS=ON $(if $(PROGRAM_ONLY),-DNDNF_BENCH=OFF) ndnf write_watch_page
	@NDNF_WATCH_PAGE=$(CURDIR)/build/default/tests/write_watch_page NDNF_BINARY=$(CURDIR)/$(NDNF) NDNF_EXAMPLES=$(CURDIR)/examples NDNF_NODE_MODULES=$(CURDIR)/build/studio-tests \
	  NDNF_PICTURES=$(CURDIR)/docs/pictures node --test tests/studio/page_test.mjs

.PHONY: format
format:  ## formats the C++ code with clang-format 14
	@tools/install-packages clang-format-14
	@echo "format     src cli python tests bench fuzz"
	@find src cli python tests bench fuzz -name '*.h' -o -name '*.cpp' | xargs clang-format-14 -i

.PHONY: tidy
tidy: test-setup  ## checks every file with clang-tidy 14
	@tools/install-packages $(CLANG_PACKAGES) clang-tidy-14
	@tools/build tidy

.PHONY: asan tsan
asan tsan: test-setup
	@tools/build $@ -DNDNF_BENCH=OFF
	@echo "test       build/$@"
	@$(RUN_TESTS) build/$@ --label-regex fast

asan:  ## runs the fast tests with the address and undefined-behaviour sanitizers
tsan:  ## runs the fast tests with the thread sanitizer

# Readers, processes and networks for the one, all that uses threads for the other.
ASAN_TESTS := base_test system_test syntax_test logic_test model_test
TSAN_TESTS := base_test system_test mdp_test simulation_test optimum_test

.PHONY: sanitizers
sanitizers: test-setup  ## runs the tests where the sanitizers find most, in a few minutes
	@tools/build asan -DNDNF_BENCH=OFF $(ASAN_TESTS)
	@tools/build tsan -DNDNF_BENCH=OFF $(TSAN_TESTS)
	@for program in $(ASAN_TESTS:%=asan/tests/%) $(TSAN_TESTS:%=tsan/tests/%); do \
	  echo "test       build/$$program"; build/$$program --gtest_brief=1 || exit 1; done

.PHONY: clang
clang: test-setup  ## builds and tests with clang 14
	@tools/install-packages $(CLANG_PACKAGES)
	@tools/build clang
	@echo "test       build/clang"
	@$(RUN_TESTS) build/clang

.PHONY: clean
clean:  ## removes build/
	@rm -rf build

.PHONY: test-setup test-packages
test-setup: build/venv/made build/studio-tests/made

test-packages:
	@tools/install-packages $(TEST_PACKAGES)

# Debian's own Python, whatever else is on the PATH: the versions in requirements.txt are pinned for it.
build/venv/made: tools/requirements.txt | test-packages
	@echo "python     build/venv from tools/requirements.txt"
	@rm -rf build/venv
	@tools/quietly build/venv.log $(PYTHON) -m venv build/venv
	@tools/quietly build/venv.log build/venv/bin/pip install --disable-pip-version-check -r tools/requirements.txt
	@touch $@

# Stable-Baselines3 with PyTorch, gigabytes: for `make study` only.
build/sb3-venv/made: tools/requirements-sb3.txt | test-packages
	@echo "python     build/sb3-venv from tools/requirements-sb3.txt"
	@rm -rf build/sb3-venv
	@tools/quietly build/sb3-venv.log $(PYTHON) -m venv build/sb3-venv
	@tools/quietly build/sb3-venv.log build/sb3-venv/bin/pip install --disable-pip-version-check -r tools/requirements-sb3.txt
	@touch $@

# What drives the browser in the tests of the studio.
build/studio-tests/made: tests/studio/package.json tests/studio/package-lock.json | test-packages
	@echo "node       build/studio-tests from tests/studio/package-lock.json"
	@mkdir -p build/studio-tests
	@cp tests/studio/package.json tests/studio/package-lock.json build/studio-tests
	@tools/quietly build/studio-tests.log npm ci --prefix build/studio-tests --ignore-scripts --no-audit --no-fund
	@touch $@
