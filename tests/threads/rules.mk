# The target with shared memory, and programs with threads on it.
THREADS_DIR := $(B)/tests/threads

# The examples in short, and a fine-grained one. NAME: program and its parameters
THREADS_RUN_sor := sor -DSIZE=14 -DSWEEPS=4
THREADS_RUN_pipeline := pipeline -DITEMS=8 -DWORK=60
THREADS_RUN_fine := pipeline -DITEMS=24 -DWORK=3 -DSTAGES=6
THREADS_RUN_producer := producer -DITEMS=14 -DWORK=60
THREADS_RUN_forkjoin := forkjoin -DWORK=60
THREADS_RUN_convoy := convoy -DROUNDS=4 -DWORK=50 -DHELD=20
THREADS_RUN_readwrite := readwrite -DROUNDS=3 -DWORK=40
THREADS_RUN_mix := mix -DROUNDS=2
THREADS_RUN_urgent := urgent -DTHREADS_PRIORITIES=3 -DWORK=60
THREADS_RUN_work := forkjoin -DWORK=60 -DTHREADS_WORK=1
THREADS_RUNS := sor pipeline fine producer forkjoin convoy readwrite mix urgent work
threads_source = $(if $(filter mix,$(1)),tests/threads/programs/mix.c,examples/threads/$(1).c)

define THREADS_RUN_RULE
$(THREADS_DIR)/$(1).elf: $(call threads_source,$(firstword $(THREADS_RUN_$(1)))) $(THREADS_LIBRARY) $(wildcard examples/threads/*.h) $(EXAMPLES_SUPPORT) tests/threads/rules.mk
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32imc_zicsr_zifencei -O2 -Wall -Wextra -Werror -Iexamples/threads $(wordlist 2,9,$(THREADS_RUN_$(1))) $$< $(THREADS_LIBRARY) -o $$@
$(THREADS_DIR)/$(1)-native: $(call threads_source,$(firstword $(THREADS_RUN_$(1)))) $(wildcard tests/threads/native/*) examples/threads/work.h tests/threads/rules.mk
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	mkdir -p $(THREADS_DIR)/source-$(1)
	cp $$< examples/threads/work.h $(THREADS_DIR)/source-$(1)
	$(CC) -O2 -Itests/threads/native $(wordlist 2,9,$(THREADS_RUN_$(1))) $(THREADS_DIR)/source-$(1)/$(firstword $(THREADS_RUN_$(1))).c tests/threads/native/threads.c -o $$@ -pthread
endef
$(foreach run,$(THREADS_RUNS),$(eval $(call THREADS_RUN_RULE,$(run))))

$(THREADS_DIR)/run_runs: tests/threads/runs.c tests/threads/clock_model.c tests/threads/clock_model.h tests/threads/rules.mk $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/threads $(filter %.c,$^) -o $@ $(SIM_LIBS)
$(THREADS_DIR)/runs: $(THREADS_DIR)/run_runs $(foreach run,$(THREADS_RUNS),$(THREADS_DIR)/$(run).elf $(THREADS_DIR)/$(run)-native) tests/threads/rules.mk
	$(call say,GEN,$@)
	printf '#!/bin/sh\nexec $(THREADS_DIR)/run_runs $(foreach run,$(THREADS_RUNS),$(THREADS_DIR)/$(run).elf $(THREADS_DIR)/$(run)-native)\n' > $@ && chmod +x $@
TESTS += $(THREADS_DIR)/runs

# Proofs: see formal/prove
$(THREADS_DIR)/proofs: tests/threads/formal/prove tests/support/prove.sh $(wildcard tests/threads/formal/*.v) sim/target/es_target_arbiter.v sim/target/es_target_locks.v \
  $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec tests/threads/formal/prove $(THREADS_DIR)/formal $(B)/gen\n' > $@ && chmod +x $@
TESTS += $(THREADS_DIR)/proofs

# The target itself
THREADS_DEVICES := $(foreach part,0 1 2 3 4,$(THREADS_DIR)/devices$(part).elf)
$(THREADS_DEVICES): $(THREADS_DIR)/devices%.elf: tests/threads/programs/devices.S $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32imc_zicsr_zifencei -DPART=$* $< -o $@
$(THREADS_DIR)/waker.elf: tests/threads/programs/waker.S $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32imc_zicsr_zifencei $< -o $@
$(THREADS_DIR)/target: tests/threads/target_test.c tests/support/check_main.h tests/threads/rules.mk $(B)/libearshot-sim.a $(B)/libearshot.a \
  $(THREADS_DEVICES) $(THREADS_DIR)/waker.elf $(addprefix $(B)/examples/,interrupts-O2.elf tasks-O0.elf thermostat-Og.elf)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support -DTESTS_BUILD='"$(B)"' $< -o $@ $$(pkg-config --cflags --libs check) $(SIM_LIBS)
TESTS += $(THREADS_DIR)/target

# The probe at one of its cores
$(THREADS_DIR)/probe: tests/threads/probe.py tests/threads/rules.mk | $(B)/earshot $(SHARED_RUN) $(foreach run,convoy readwrite fine,$(THREADS_DIR)/$(run).elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/threads/probe.py\n' > $@ && chmod +x $@
TESTS += $(THREADS_DIR)/probe

# More of them: THREADS_SOAK programs of random sizes.
THREADS_SOAK ?= 100
.PHONY: soak-threads
soak-threads: $(THREADS_DIR)/run_runs
	EARSHOT_BUILD=$(B) $(PYTHON) tests/threads/soak.py $(THREADS_SOAK)
soak: soak-threads
