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
THREADS_RUNS := sor pipeline fine producer forkjoin convoy readwrite

define THREADS_RUN_RULE
$(THREADS_DIR)/$(1).elf: examples/threads/$(firstword $(THREADS_RUN_$(1))).c $(THREADS_LIBRARY) $(wildcard examples/threads/*.h) $(EXAMPLES_SUPPORT) tests/threads/rules.mk
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32imc_zicsr_zifencei -O2 -Wall -Wextra -Werror $(wordlist 2,9,$(THREADS_RUN_$(1))) $$< $(THREADS_LIBRARY) -o $$@
$(THREADS_DIR)/$(1)-native: examples/threads/$(firstword $(THREADS_RUN_$(1))).c $(wildcard tests/threads/native/*) examples/threads/work.h tests/threads/rules.mk
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
