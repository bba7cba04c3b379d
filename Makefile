# make run    a simulated table plays in this terminal (Ctrl-C ends it)
# make test   style, types, layers, tests (on every processor)
# make check  the tests of what your change touches, nearest first, for half a minute (CHECK=REV: of what differs from that commit)
# make bench  what our paths cost beside the machine's own floor and beside peers (minutes; each figure when it is there; BENCH='--json --only card-event')
# make night  the tests with many more examples, floods, and thousands of tables in virtual time (hours; SEEDS=A:B for others, SOAK=N rounds of one table)
# make night-machines  packages and card for every release and machine (root; hours; a line for each step)
# make flakes  what waits for a process, a socket, a browser or a clock, twenty times on a busy machine (hours; FLAKES='--times 3 tests/daemon')
# make pictures  those of the README, from the running panel (needs Debian's chromium)
# make docs   the texts of all folders as one site with search, by reader, into build/docs
# make deb    the Debian packages of the last commit (DEB='--release trixie --arch arm64' for others)
# make verifier  what an inspector is handed (the verifier in Go for Linux and Windows, a ZIP of texts and programs), with digests, into build/verifier (Debian's golang-go and golang-golang-x-mod-dev)
# make deb-test  installs, upgrades, breaks and removes them in a bare Debian tree that is booted for it (root; minutes; DEB='--release trixie --arch arm64' for others, arm64 in emulation)
# make image  the SD card of a Raspberry Pi 4 from the last commit (root; IMAGE='--arch amd64' for the same root in a virtual PC)
# make image-test  boots it in an emulator and tells what it sees, a line each (minutes; IMAGE='--arch amd64' too)
# make image-first-test  sets a table up on it by its first start, from a stick and the pages, with pictures of its screen (minutes; IMAGE='--arch amd64')
# make image-play-test  plays a table on it with simulated devices on USB, and cuts its power twenty times, a line each (hours; IMAGE='--arch amd64')
# make image-faults-test  shows the pages for a full, read-only or missing card and a clock at 1970 (minutes; IMAGE='--arch amd64' too)
# make image-update-test  an update of the image for a virtual PC: let in, tried, good, cut in the middle (root; an hour in an emulator)
# make install  the environment alone, in .venv
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
SEEDS  ?= 0:4000
SOAK   ?= 100000

# Some containers forbid bytecode. The tests start hundreds of processes, and each would compile whatever it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test tests check install lint bench night flakes pages golden pictures docs mutants deb deb-test verifier image image-test image-first-test image-play-test image-faults-test image-update-test night-machines clean

run: install
	@exec $(BIN)/sabot-sim demo

test: install  # the tests leave a processor idle now and then: style, types and layers are checked beside them
	@$(MAKE) --no-print-directory -j2 tests lint

tests: install  # two processes more than processors: many tests wait for a process or a port
	$(BIN)/pytest --sample -n $$(( $$(nproc) + 2 ))

check: install
	@$(BIN)/python -m tests.touched $(CHECK)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: install
	@$(BIN)/python -m tests.bench $(BENCH)

pages: install  # what is generated from tables and tests
	@$(BIN)/python -m tests.pages.write

golden: install  # digests of worlds; a step that only moves code changes none
	@$(BIN)/python -m tests.world.golden $(GOLDEN)

pictures: install  # the tests that deal by taps take them
	SABOT_PICTURES=controller/panel/pictures $(BIN)/pytest tests/panel/test_whole_evening.py tests/panel/test_hands_at_the_screen.py tests/panel/test_wheel.py -q

docs: install
	@$(BIN)/python systemd/docs/site_of_texts.py

deb: install
	@$(BIN)/python systemd/debian/build.py $(DEB)

verifier: install
	@$(BIN)/python systemd/debian/verifier.py

deb-test: deb-test-needs install
	SABOT_DEB_TEST=1 SABOT_DEB='$(DEB)' $(BIN)/pytest tests/deb --timeout 3600

image: image-needs install
	@$(BIN)/python systemd/image/image.py $(IMAGE)

image-test: image-test-needs install
	@$(BIN)/python systemd/image/trial.py $(IMAGE)

image-first-test: image-first-test-needs install
	@$(BIN)/python systemd/image/trial_first.py $(IMAGE)

image-play-test: image-play-test-needs install
	@$(BIN)/python systemd/image/trial_play.py $(IMAGE)

image-faults-test: image-faults-test-needs install
	@$(BIN)/python systemd/image/trial_faults.py $(IMAGE)

image-update-test: image-update-test-needs install
	@$(BIN)/python systemd/image/trial_update.py $(IMAGE)

night-machines: install  # packages and card, each release and machine, those of arm64 in emulation
	@systemd/debian/night.sh

%-needs:  # which programs a task lacks, before it begins
	@$(PYTHON) systemd/debian/needs.py $* $(DEB) $(IMAGE)

mutants: install  # which test finds each thing that could be wrong; 1 where none does
	@$(BIN)/python -m tests.scenario.finders

flakes: install  # which test was red in how many runs; needs Debian's stress-ng
	@$(BIN)/python -m tests.flakes $(FLAKES)

night: install mutants  # every mutant; what shows each clause; the tests with many more examples, kills and bits; then worlds of every profile
	$(BIN)/python -m tests.scenario.shown
	SABOT_NIGHT=1 $(BIN)/pytest -n $$(( $$(nproc) + 2 )) --timeout 3600
	SABOT_FUZZ_S=3600 $(BIN)/pytest tests/c/test_fuzz.py --timeout 7200
	SABOT_FLOOD_S=60 $(BIN)/pytest tests/daemon/test_floods.py
	SABOT_SOAK_ROUNDS=$(SOAK) $(BIN)/pytest tests/world/test_soak.py --timeout 43200
	SABOT_SOAK_DEMO_ROUNDS=2000 $(BIN)/pytest tests/demo/test_soak.py
	$(BIN)/sabot-sim power-cuts --entries 200 --last 150
	@failed=0; for profile in $$($(BIN)/python -c 'from controller.config.profile import PROFILES; print(*PROFILES)'); do \
		$(BIN)/sabot-sim world --seeds $(SEEDS) --rounds 20 --profile $$profile || failed=1; \
	done; $(BIN)/sabot-sim world --seeds 0:2000 --rounds 10 --tracks hands || failed=1; exit $$failed  # every other one has a jackpot
	$(BIN)/python -m tests.flakes $(FLAKES)

install: $(VENV)/.installed

# Other packages: a new environment. Another pyproject.toml: only our own package is installed again.
$(VENV)/.packages: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(0 if (3, 11) <= sys.version_info[:2] <= (3, 13) else "sabot needs Python 3.11 to 3.13; say which: make PYTHON=python3.11")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo 'Python lacks venv; on Debian: sudo apt install python3-venv'; exit 1; }
	@echo 'making the environment in $(VENV) (once)' >&2
	@$(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-compile -r requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.packages pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . --config-settings editable_mode=compat
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-bench $(VENV)-bench-moonraker build sabot.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
