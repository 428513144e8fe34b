# Record and replay: the input stream of a reference recorder, replayed and compared with the retire log.

REPLAY_TEST_DIR := $(B)/tests/replay
$(REPLAY_TEST_DIR)/%.o: tests/replay/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/replay -Itests/support -Isim -DTESTS_BUILD='"$(B)"' -c $< -o $@
REPLAY_TESTS := $(patsubst tests/replay/%.c,$(REPLAY_TEST_DIR)/%,$(wildcard tests/replay/test_*.c))
$(REPLAY_TESTS): %: %.o $(addprefix $(REPLAY_TEST_DIR)/,encoder.o recorded.o taken.o) $(B)/libearshot-sim.a $(B)/libearshot.a $(EXAMPLES_ELF)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
# Programs of its own, and those of other rooms.
REPLAY_PROGRAMS := $(foreach level,O0 Og O2,$(REPLAY_TEST_DIR)/corners-$(level).elf)
$(REPLAY_PROGRAMS): $(REPLAY_TEST_DIR)/corners-%.elf: tests/replay/programs/corners.c
REPLAY_ORDERS := $(foreach level,O0 O2,$(REPLAY_TEST_DIR)/orders-$(level).elf)
$(REPLAY_ORDERS): $(REPLAY_TEST_DIR)/orders-%.elf: tests/replay/programs/orders.c
# On the target with shared memory, which has a DMA device.
REPLAY_DMA := $(foreach level,O0 Og O2,$(REPLAY_TEST_DIR)/dma-$(level).elf)
$(REPLAY_DMA): $(REPLAY_TEST_DIR)/dma-%.elf: tests/replay/programs/dma.c
$(REPLAY_TEST_DIR)/forever-O2.elf: $(REPLAY_TEST_DIR)/forever-%.elf: tests/replay/programs/forever.c
$(REPLAY_TEST_DIR)/sums-O2.elf: $(REPLAY_TEST_DIR)/sums-%.elf: tests/replay/programs/sums.c
$(REPLAY_PROGRAMS) $(REPLAY_ORDERS) $(REPLAY_DMA) $(foreach name,forever sums,$(REPLAY_TEST_DIR)/$(name)-O2.elf): tests/replay/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -$(lastword $(subst -, ,$(basename $(@F)))) -Wall -Wextra -Werror $(filter tests/replay/programs/%.c,$^) -o $@
REPLAY_OTHERS := $(foreach program,workload torture,$(foreach level,O0 O2,$(foreach arch,rv32i_zicsr rv32imc_zicsr_zifencei,\
  $(B)/tests/machine/$(program)-$(level)-$(arch).elf)))
$(REPLAY_TEST_DIR)/test_recorder: $(REPLAY_PROGRAMS)
$(REPLAY_TEST_DIR)/test_keyframes: $(REPLAY_PROGRAMS) $(REPLAY_OTHERS)
$(REPLAY_TEST_DIR)/test_replay: $(REPLAY_PROGRAMS) $(REPLAY_ORDERS) $(REPLAY_TEST_DIR)/sums-O2.elf $(REPLAY_OTHERS)
$(REPLAY_TEST_DIR)/test_shared: $(REPLAY_DMA) $(DMA_ELF) $(foreach program,sor pipeline producer forkjoin convoy readwrite,$(B)/tests/threads/$(program).elf)
TESTS += $(REPLAY_TESTS)

# The same of programs whose data are big endian, on the target that runs such ones.
REPLAY_BIG := $(REPLAY_TEST_DIR)/big
REPLAY_BIG_PROGRAMS := $(foreach name,corners orders,$(foreach level,O0 O2,$(REPLAY_BIG)/$(name)-$(level).elf))
$(filter %/corners-O0.elf %/corners-O2.elf,$(REPLAY_BIG_PROGRAMS)): tests/replay/programs/corners.c
$(filter %/orders-O0.elf %/orders-O2.elf,$(REPLAY_BIG_PROGRAMS)): tests/replay/programs/orders.c
$(REPLAY_BIG_PROGRAMS): tests/replay/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -mbig-endian -$(lastword $(subst -, ,$(basename $(@F)))) -Wall -Wextra -Werror $(filter tests/replay/programs/%.c,$^) -o $@
REPLAY_BIG_TESTS := $(addprefix $(REPLAY_BIG)/,test_replay test_recorder)
$(REPLAY_BIG_TESTS): $(REPLAY_BIG)/%: $(REPLAY_TEST_DIR)/%.o $(addprefix $(REPLAY_TEST_DIR)/,encoder.o recorded.o taken.o) $(CORE_reference-data-big_OBJ) \
    $(B)/libearshot-sim.a $(B)/libearshot.a $(REPLAY_BIG_PROGRAMS) $(addprefix $(B)/cores/examples/big-endian/,$(EXAMPLES_NAMES))
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
TESTS += $(REPLAY_BIG_TESTS)
-include $(wildcard $(REPLAY_TEST_DIR)/*.d)

# A hundred million instructions: the same programs with other seeds, 4.2 million each time, and fifty that poll densely.
REPLAY_SOAK ?= 24
REPLAY_SOAK_LOG := $(REPLAY_TEST_DIR)/soak.log
soak-replay: $(REPLAY_TEST_DIR)/test_replay
	: > $(REPLAY_SOAK_LOG)
	set -e; for seed in $$(seq 2 $$(($(REPLAY_SOAK) + 1))); do EARSHOT_SEED=$$seed EARSHOT_SEEDS=2 $< >> $(REPLAY_SOAK_LOG) || { tail -20 $(REPLAY_SOAK_LOG); exit 1; }; done
	EARSHOT_SEEDS=50 CK_RUN_CASE=polled $<
	awk '/ instructions, /{ all += $$2 } END { print all " instructions compared with retire logs" }' $(REPLAY_SOAK_LOG)
# Programs with threads in the size of the examples.
soak-cores: $(REPLAY_TEST_DIR)/test_shared $(THREADS_ELF)
	EARSHOT_PROGRAMS=examples/threads $<
.PHONY: soak-replay soak-cores
soak: soak-replay soak-cores

FUZZ_SECONDS ?= 60
$(REPLAY_TEST_DIR)/fuzz_token: tests/replay/fuzz_token.c host/replay/token.c host/base/error.c $(B)/gen/probe_defs.h
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost -Iinterface -I$(B)/gen $(filter %.c,$^) -o $@
$(REPLAY_TEST_DIR)/fuzz_recording: tests/replay/fuzz_recording.c $(wildcard host/replay/*.[ch] host/machine/*.[ch]) $(B)/libearshot.a
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Ihost -Iinterface -I$(B)/gen \
	  tests/replay/fuzz_recording.c $(wildcard host/replay/*.c host/machine/*.c) $(B)/libearshot.a -o $@ $(HOST_LIBS) -lm
fuzz-replay: $(REPLAY_TEST_DIR)/fuzz_token $(REPLAY_TEST_DIR)/fuzz_recording
	mkdir -p $(REPLAY_TEST_DIR)/corpus/fuzz_token $(REPLAY_TEST_DIR)/corpus/fuzz_recording
	set -e; for kind in fuzz_token fuzz_recording; do $(REPLAY_TEST_DIR)/$$kind $(FUZZ_LIMIT) -max_len=8192 -artifact_prefix=$(REPLAY_TEST_DIR)/ \
	  $(REPLAY_TEST_DIR)/corpus/$$kind; done
.PHONY: fuzz-replay
FUZZ += replay
fuzzers: $(addprefix $(REPLAY_TEST_DIR)/,fuzz_token fuzz_recording)

$(REPLAY_TEST_DIR)/bench: $(addprefix $(REPLAY_TEST_DIR)/,bench.o encoder.o recorded.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)

# A long recording: any moment of it at once.
$(REPLAY_TEST_DIR)/long: $(REPLAY_TEST_DIR)/long.o $(B)/libearshot.a $(REPLAY_TEST_DIR)/forever-O2.elf
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o %.a,$^) -o $@ $$(pkg-config --libs check) $(HOST_LIBS) -lm
soak-long: $(REPLAY_TEST_DIR)/long
	$< 2000000000
soak: soak-long
bench-replay: $(REPLAY_TEST_DIR)/long
	$< 200000000
BENCH += bench-replay
.PHONY: soak-long bench-replay

# Recordings as files.
$(REPLAY_TEST_DIR)/recordings: tests/replay/rules.mk | $(B)/earshot $(B)/tests/threads/convoy.elf $(REPLAY_TEST_DIR)/long $(B)/examples/interrupts-O2.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/replay/recordings.py\n' > $@ && chmod +x $@
TESTS += $(REPLAY_TEST_DIR)/recordings
