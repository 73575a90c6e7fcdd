# Every target does its own set-up: a virtual environment in .venv, made anew when pyproject.toml changes. `make demo`
# loads what the demo runs, the other targets complete it, and `make solver` adds the exact solver, which is large.
#   make PYTHON=python3.12 test     chooses the interpreter (`make clean` first, if .venv was made with another)

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)

VENV   := .venv
PY     := $(VENV)/bin/python
READY  := $(VENV)/ready
SITE_READY := $(VENV)/site-ready
DEMO   := $(VENV)/ready-demo
SOLVER := $(VENV)/ready-solver
FUZZ   := $(VENV)/ready-fuzz
PRODUCT := statetracker caps cso bindings
CODE   := $(PRODUCT) tests examples benchmarks tools
#: pydoclint cannot leave these out: Returns and Yields are written where a summary cannot say it.
UNASKED := DOC201|DOC402

# Hypothesis: `ci` gives the same examples in every run, `dev` new ones and more of them.
HYPOTHESIS_PROFILE ?= ci
export HYPOTHESIS_PROFILE
export PIP_DISABLE_PIP_VERSION_CHECK = 1

#: When make began, for those targets that say how long they took.
BEGUN := $(shell date +%s)
TOOK   = echo "make $@ took $$(( $$(date +%s) - $(BEGUN) )) seconds"

#: Properties under the profile of a target's name, which says how many examples: tests/conftest.py.
LOOP = tests/frontend/test_tracker_attacked.py tests/frontend/test_tracker_interrupts.py
WIDELY = HYPOTHESIS_PROFILE=$@ $(PY) -m pytest -q --no-header -n auto

#: The tests of `make check`.
QUICK := $(addprefix tests/,gl pipe caps sampler cso spirv frontend test_arrows.py test_imports.py)

.DEFAULT_GOAL := help
.PHONY: help demo hosts host-frames check quick test hidden lint format types arrows bench frames frame-loop lowered-frames prove conform pixels texts mutation fuzz clean registers solver layer samplers columns host-vulkan soak sweep conform-zink programs gl-calls webgpu modules space governor package shell site

help:                ## | print these targets, and how long each takes on two cores once .venv is there; the Makefile has more
	@awk -F ':.*## |[|] ' '/^[a-z-]+:.*## / { printf "  make %-13s %-9s%s\n", $$1, $$2, $$3 }' Makefile

demo: $(DEMO)        ## 2 s | replay a recorded GL program and explain every sampler state
	@$(PY) examples/demo.py

shell: $(READY)      # | a shell that has statetracker, and python with the package, on its PATH
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" "$${SHELL:-/bin/sh}" || true

check: $(READY)      ## 1 min | lint, types, the rules' tests without live ones and recordings, with few examples
	@$(MAKE) --no-print-directory --output-sync=target -j 3 types lint quick; status=$$?; $(TOOK); exit $$status

quick: $(READY)
	@HYPOTHESIS_PROFILE=check $(PY) -m pytest -q --no-header -n auto -m 'not live' $(QUICK)

test: lint types     ## 7 min | lint, types, then all tests; which were skipped and why
	@$(PY) -m pytest -q --no-header -n auto --dist worksteal -rs; status=$$?; $(TOOK); exit $$status

hidden: $(READY)     # 1 min | what live tests need, with each package hidden in turn: they skip and name it, none fails
	@$(PY) tools/hidden.py
	@$(TOOK)

lint: $(READY)       # 5 s | ruff: every rule, and the formatter's opinion; pydoclint: arguments in docstrings
	@$(PY) -m ruff check --quiet --output-format concise $(wildcard $(CODE))
	@! $(VENV)/bin/pydoclint $(wildcard $(PRODUCT)) 2>&1 | grep -vE ' ($(UNASKED)): |^$$'
	@$(PY) -m ruff format --quiet --check $(wildcard $(CODE)) || { \
		echo 'Not formatted: run make format, look at the difference.' >&2; exit 1; }

format: $(READY)     ## 2 s | let ruff write: formatting and safe corrections
	@$(PY) -m ruff check --quiet --fix-only $(wildcard $(CODE))
	@$(PY) -m ruff format --quiet $(wildcard $(CODE))

types: $(READY)      # 5 s | mypy, strict; 45 s the first time
	@$(PY) -m mypy --no-error-summary

arrows: $(READY)     # 15 s | which room imports which, and what an import loads
	@$(PY) -m pytest -q --no-header tests/test_arrows.py tests/test_imports.py

bench: $(READY)      ## 1 min | the benchmarks, one after another
	@$(PY) benchmarks/run.py

frames: $(READY)     ## 2 min | what a bind costs in frames of many materials, beside C
	@$(PY) benchmarks/frames.py

host-frames: $(READY) # 1 min | what a frame costs that a Renderer draws on wgpu, beside a loop by hand
	@$(PY) -m statetracker.benchmarks.host_frames

frame-loop: $(READY) # 20 s | 10,000 frames of 2,000 binds over more states than the budget
	@$(WIDELY) tests/integration/test_frame_loop.py

hosts: $(READY)      # 1 hour | 2,000 states of each kind of texture by each Renderer and device, all 331,776 of four textures by one sampler, held against GL
	@$(WIDELY) tests/hosts -k every_state

governor: $(READY)   # 25 min | a million binds of 50,000 states under limits of 16 to 4,000: never above one; interrupts at each line
	@$(WIDELY) tests/integration/test_governor.py tests/cso/test_governor.py $(LOOP) -k 'limit or attacked or interrupt'

lowered-frames: $(READY) # 1 min | frames a second on this machine's Vulkan, with and without what the shader adds
	@$(PY) -m tools.proofs.pixels.frames

prove: $(READY)      # minutes | the depth/stencil alignment decision, proved by addresses
	@$(WIDELY) tests/surface/test_alignment.py -k by_addresses

conform: $(READY)    ## 30 min | 20,000 random cases on each of Mesa's llvmpipe, softpipe and zink
	@$(PY) -m statetracker conform --driver llvmpipe --driver softpipe --driver zink --count 20000 --report conform.html

conform-zink: $(READY) # 5 min | 20,000 random cases on zink: the states, and the create infos it passes to Vulkan
	@$(PY) -m statetracker conform --driver zink --count 20000 --report conform-zink.html

registers: $(READY)  # minutes | 50,000 random programs through the register allocator, each certified
	@$(WIDELY) tests/geometry/test_certificate.py -k keep_their_meaning

solver: $(SOLVER)    # minutes | 6,000 small programs against an exact solver: how often a spill is needless
	@$(WIDELY) tests/geometry/allocator/test_exact.py

modules: $(READY)    # 1 min | rewritten modules of 2,000 random shaders under spirv-val, for Vulkan 1.1 and OpenGL 4.5
	@$(WIDELY) tests/shader/test_generated.py -k any_work

fuzz: $(FUZZ)        # 10 min | damaged modules through st.lower and st.split_samplers, led by coverage: errors of ours alone; finds in build/
	@$(PY) -m tools.fuzz_modules -max_total_time=600 -verbosity=0 -print_final_stats=1 -artifact_prefix=build/

pixels: $(READY)     ## minutes | the reference unit and rewritten shaders against the machine's GL, widely
	@$(WIDELY) tests/integration/pixels

texts: $(READY)      # 30 min | printed functions of each language, drawn: the reference unit's bounds, and st.lower's bits
	@$(WIDELY) tests/shader/text

layer: $(READY)      # 1 min | 500,000 random bad create infos: our checker and the validation layer of this machine
	@$(WIDELY) tests/vulkan/test_live.py -k checker_and_layer

samplers: $(READY)   # 1 min | a million samplers of random records under the validation layer, without a message
	@$(WIDELY) tests/vulkan/test_live.py -k native_infos

host-vulkan: $(READY) # 3 min | binds over a device that the vulkan package made, on lavapipe and SwiftShader, without a message
	@$(WIDELY) tests/vulkan/test_host_live.py -k binds_draw_no_message

gl-calls: $(READY)   ## 30 min | every internal format, then 20,000 random sequences of texture and sampler calls in three profiles, here and on this machine's Mesa
	@$(WIDELY) tests/gl/test_calls_live.py -k 'random_calls or internal_formats'

webgpu: $(READY)     ## 4 min | 20,000 samplers of random records by wgpu-py and Dawn, their validation beside ours; pictures
	@$(WIDELY) tests/webgpu/test_driver_live.py tests/integration/pixels/test_webgpu_run.py -k 'descriptor or bounds'

sweep: $(READY)      # 1 hour | every device vector, boundary and random states: no rule broken, nothing left that may not be
	@$(WIDELY) tests/vulkan/test_boundary.py tests/vulkan/test_properties.py -k 'kept or breaks_a_rule'

columns: $(READY)    # 5 min | a million random states in all dialects: columns (st.batch) beside single conversions, byte for byte
	@$(WIDELY) tests/batch/test_conversion.py -k units_of_their_own

space: $(READY)      # 5 min | 331,776 states of four textures against every class of devices, and 40,000 pairs by themselves
	@$(WIDELY) tests/survey/test_comparison.py

soak: $(READY)       # minutes | a million binds over real samplers within a budget
	@$(WIDELY) tests/vulkan/test_live.py -k soak

programs: $(READY)   # 12 min | 54 real programs recorded with apitrace, as far as they are installed: all agree
	@OUTPUT="$(OUTPUT)" NAMES="$(NAMES)" $(WIDELY) -n 0 -rs tests/test_real_programs.py -k agrees

package: $(READY)    ## 5 min | the sdist and the wheel, twice; each extra in an environment of its own, with one thing that fails without it; from a network
	@OUTPUT="$(OUTPUT)" NAMES="$(NAMES)" $(WIDELY) -n 0 -x -rs tests/test_packaging.py -k "builds or extra_does or kept"

site: $(SITE_READY)  ## 20 s | the pages as a site in build/site: warnings are errors, links are checked, nothing is fetched; 15 s more the first time
	@$(PY) -m tools.site.stage build/site-source
	@PYTHONPATH=. $(PY) -m zensical build --clean --strict
	@$(PY) -m tools.site.search build/site
	@$(PY) -m tools.site.check build/site
	@$(TOOK)

mutation: $(READY)   ## 1 hour | change the rule tables on purpose; the tests must notice
	@$(PY) tools/mutate.py

clean:               ## | remove .venv and everything the tools left
	rm -rf $(VENV) .cache build dist .coverage .coverage.* htmlcov .hypothesis .mypy_cache .pytest_cache .ruff_cache \
		.mutation
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# $(call step,what it does,command): a line that says how long the command took, and how large $(VENV) is now.
define step
@printf '  %s ... ' '$(1)'; begun=$$(date +%s); $(2) || exit 1; \
	echo "$$(( $$(date +%s) - begun )) s; $(VENV) has $$(du -sm $(VENV) | cut -f 1) MB"
endef

PIP    := $(PY) -m pip install --quiet --quiet
EXTRAS := live,batch,report,replay,webgpu,pyvulkan

$(DEMO): pyproject.toml
	@if [ -z "$(PYTHON)" ]; then \
		echo 'statetracker needs Python 3.11 or newer, and none was found.' >&2; \
		echo 'Install one (Debian, Ubuntu: apt-get install python3 python3-venv), or name it: make PYTHON=/path/to/python3.' >&2; \
		exit 1; fi
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo '$(PYTHON) does not run, or is older than Python 3.11. Name another: make PYTHON=/path/to/python3.' >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo '$(PYTHON) cannot make virtual environments: its venv module is incomplete.' >&2; \
		echo 'Debian, Ubuntu: apt-get install python3-venv (or pythonX.Y-venv for another version), then run make again.' >&2; \
		exit 1; }
	@echo 'Setting up $(VENV) (first time, or pyproject.toml has changed):'
	$(call step,Python and pip,{ test -x $(PY) && $(PY) -m pip --version >/dev/null 2>&1; } || "$(PYTHON)" -m venv --clear $(VENV))
	$(call step,the library and what the demo runs (loads 5 MB),$(PIP) --editable .)
	@touch $@

$(READY): $(DEMO)
	@echo 'Setting up $(VENV) for tests and tools, once:'
	$(call step,a newer pip (loads 2 MB),$(PIP) 'pip>=25.1')
	$(call step,the optional parts and what tests and checks them (57 MB),$(PIP) --editable '.[$(EXTRAS)]' --group dev)
	$(call step,pyarrow for Arrow and Parquet (52 MB),{ $(PIP) --only-binary pyarrow --editable '.[arrow]' || \
		echo 'pyarrow cannot be installed here: tests of Arrow and Parquet will skip.' >&2; })
	@touch $@

$(SOLVER): $(READY)
	@echo 'Setting up $(VENV) for the exact solver, once:'
	$(call step,OR-tools (41 MB),{ $(PIP) --only-binary ortools --group solver || \
		echo 'OR-tools cannot be installed here: tests against the exact solver will skip.' >&2; })
	@touch $@

$(FUZZ): $(READY)
	@echo 'Setting up $(VENV) for fuzzing, once:'
	$(call step,atheris (35 MB; wheels for Linux and Python 3.11 to 3.13),$(PIP) --only-binary atheris --group fuzz)
	@touch $@

$(SITE_READY): $(READY)
	$(call step,what builds the site,$(PIP) --group site)
	@touch $@
