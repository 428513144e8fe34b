# Tests of host/softprobe.
SOFTPROBE_TEST_DIR := $(B)/tests/softprobe
$(SOFTPROBE_TEST_DIR)/%.o: tests/softprobe/%.c $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -DTESTS_BUILD='"$(B)"' -c $< -o $@
-include $(wildcard $(SOFTPROBE_TEST_DIR)/*.d)

# Against the RTL.
$(SOFTPROBE_TEST_DIR)/compare: $(addprefix $(SOFTPROBE_TEST_DIR)/,compare.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
$(SOFTPROBE_TEST_DIR)/against-rtl: tests/softprobe/rules.mk | $(SOFTPROBE_TEST_DIR)/compare $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/against_rtl.py\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/against-rtl

# Against the core's model, and what the host may do to it.
SOFTPROBE_CHECKS := $(addprefix $(SOFTPROBE_TEST_DIR)/,model commands session)
$(SOFTPROBE_TEST_DIR)/model: $(SOFTPROBE_TEST_DIR)/model_check.o $(B)/tests/core/model.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) $(B)/libearshot.a -o $@ $$(pkg-config --libs check) $(HOST_LIBS)
$(SOFTPROBE_TEST_DIR)/commands: $(addprefix $(SOFTPROBE_TEST_DIR)/,commands_check.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
$(SOFTPROBE_TEST_DIR)/session: $(addprefix $(SOFTPROBE_TEST_DIR)/,session_check.o sides.o plain.o) $(patsubst host/%.c,$(B)/host/%.o,$(wildcard host/access/*.c)) \
  $(B)/libearshot-sim.a $(B)/libearshot.a | $(EXAMPLES_ELF)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
TESTS += $(SOFTPROBE_CHECKS)

$(SOFTPROBE_TEST_DIR)/bench: $(addprefix $(SOFTPROBE_TEST_DIR)/,bench.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
bench-softprobe: $(SOFTPROBE_TEST_DIR)/bench $(EXAMPLES_ELF)
	$<
BENCH += bench-softprobe
.PHONY: bench-softprobe
# What statements cost, by how many there are.
bench-statements: $(B)/earshot
	EARSHOT_BUILD=$(B) $(PYTHON) tests/softprobe/many_bench.py
BENCH += bench-statements
.PHONY: bench-statements

# Coverage-guided fuzzing of what the host and the bus may bring, for FUZZ_SECONDS.
SOFTPROBE_FUZZED := $(filter-out host/softprobe/target.c,$(wildcard host/softprobe/*.c)) $(wildcard host/machine/*.c host/isa/*.c host/isa/*/*.c) \
  host/stream/frame.c host/base/error.c host/base/arena.c host/base/bytes.c
$(SOFTPROBE_TEST_DIR)/fuzz: tests/softprobe/fuzz_softprobe.c $(SOFTPROBE_FUZZED) $(B)/gen/probe_defs.h
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Wno-gnu-variable-sized-type-not-at-end -Ihost -Iinterface -I$(B)/gen -fsanitize=fuzzer,address,undefined \
	  -fno-sanitize-recover=undefined $(filter %.c,$^) -o $@
fuzz-softprobe: $(SOFTPROBE_TEST_DIR)/fuzz
	@mkdir -p $(SOFTPROBE_TEST_DIR)/corpus
	$< $(FUZZ_LIMIT) -max_len=4096 -print_final_stats=1 $(SOFTPROBE_TEST_DIR)/corpus
.PHONY: fuzz-softprobe
FUZZ += softprobe
fuzzers: $(SOFTPROBE_TEST_DIR)/fuzz

# Recordings of a target's inputs.
$(SOFTPROBE_TEST_DIR)/replayed: tests/softprobe/rules.mk | $(B)/earshot $(EXAMPLES_ELF) $(B)/tests/replay/long
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/replayed.py\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/replayed
$(SOFTPROBE_TEST_DIR)/stretches: tests/softprobe/rules.mk | $(B)/earshot $(EXAMPLES_ELF) $(B)/tests/replay/long
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/stretches.py\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/stretches
# ... of big-endian programs
$(SOFTPROBE_TEST_DIR)/stretches_big: tests/softprobe/rules.mk | $(B)/cores/reference-data-big/earshot $(B)/cores/reference-data-big/tests/oracle/retire-log \
    $(addprefix $(B)/cores/examples/big-endian/,$(EXAMPLES_NAMES))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B)/cores/reference-data-big exec $(PYTHON) tests/softprobe/stretches.py --examples\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/stretches_big

# Executed in parts by several threads.
$(SOFTPROBE_TEST_DIR)/parts: $(SOFTPROBE_TEST_DIR)/parts.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) $(B)/libearshot.a -o $@ $(HOST_LIBS) -lm
$(SOFTPROBE_TEST_DIR)/in-parts: tests/softprobe/rules.mk | $(B)/earshot $(EXAMPLES_ELF) $(SOFTPROBE_TEST_DIR)/parts $(B)/tests/replay/long \
  $(foreach name,corners dma,$(B)/tests/replay/$(name)-O2.elf) $(foreach name,clones handed halves freed,$(B)/tests/shadow/$(name)-O2.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/parts.py\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/in-parts

# Statements in groups, each with a probe of its own, against one probe that has all of them.
$(SOFTPROBE_TEST_DIR)/groups: tests/softprobe/rules.mk | $(B)/earshot $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/groups.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/groups
# More of it: so many seeds, from EARSHOT_SEED on.
GROUPS_SOAK ?= 20
soak-groups: $(SOFTPROBE_TEST_DIR)/groups
	ES_SEEDS=$(GROUPS_SOAK) $<
soak: soak-groups
.PHONY: soak-groups
