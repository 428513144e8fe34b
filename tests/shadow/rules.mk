# Variables in registers: what the host says of them against gdb on qemu, and against the programs' own prints.

SHADOW_DIR := $(B)/tests/shadow
SHADOW_TOOLS := $(addprefix $(SHADOW_DIR)/,compare cells)
$(SHADOW_TOOLS): $(SHADOW_DIR)/%: tests/shadow/%.c $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $^ -o $@ $(HOST_LIBS) -lm

SHADOW_TRUTH := $(SHADOW_DIR)/truth
$(SHADOW_TRUTH): $(SHADOW_TOOLS) $(wildcard tests/shadow/*.py tests/shadow/programs/*) tests/shadow/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,GEN,$@)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/shadow/truth.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(SHADOW_TRUTH)

# Parameters and results by the calling convention; backtraces; several copies of a procedure; what pointers point to; numbers in two registers:
# against gdb at recordings, and against programs without optimisation.
SHADOW_AT_GDB := $(addprefix $(SHADOW_DIR)/,convention backtrace depths copies inlined pointers halves edges levels handed_on)
$(SHADOW_AT_GDB): $(SHADOW_DIR)/%: tests/shadow/rules.mk | $(B)/earshot $(EXAMPLES_SUPPORT) $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/shadow/$*.py\n' > $@ && chmod +x $@
TESTS += $(SHADOW_AT_GDB)

# All programs at all levels, each instruction three times.
soak-shadow: $(SHADOW_TRUTH)
	$(SHADOW_TRUTH) --all
soak: soak-shadow
.PHONY: soak-shadow

# Entries and ends of inlined copies in made up programs, from a seed of their own.
soak-inlined: $(SHADOW_DIR)/inlined
	EARSHOT_BUILD=$(B) $(PYTHON) tests/shadow/inlined.py --random 25
soak: soak-inlined
.PHONY: soak-inlined

# For the target: what it notes elsewhere is left out
$(SHADOW_DIR)/clones-%.elf: tests/shadow/programs/clones.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -$* -fipa-cp-clone -DNOTE_H '-DOWN=__attribute__((noinline))' '-DNOTE(x)=' -include stdint.h $< -o $@

$(SHADOW_DIR)/handed-%.elf: tests/shadow/programs/handed.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -$* -fipa-cp-clone $< -o $@

$(SHADOW_DIR)/halves-%.elf: tests/shadow/programs/halves.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -$* $< -o $@
$(SHADOW_DIR)/freed-%.elf: tests/shadow/programs/freed.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -$* $< -o $@

# From statements to hits, over the probe in software. (No test runs `visible`, but it is to build.)
SHADOW_HITS := $(SHADOW_DIR)/hits
$(SHADOW_DIR)/%.o: tests/shadow/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -DTESTS_BUILD='"$(B)"' -c $< -o $@
-include $(wildcard $(SHADOW_DIR)/*.d)
$(SHADOW_HITS): $(SHADOW_DIR)/hits_check.o $(B)/tests/softprobe/plain.o $(B)/libearshot.a | $(EXAMPLES_ELF) \
  $(foreach level,O0 Og O2,$(B)/tests/lang/shadow-$(level).elf) \
  $(foreach name,clones handed,$(SHADOW_DIR)/$(name)-O0.elf $(SHADOW_DIR)/$(name)-O2.elf) $(SHADOW_DIR)/visible
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) $(B)/libearshot.a -o $@ $$(pkg-config --libs check) $(HOST_LIBS)
TESTS += $(SHADOW_HITS)

# Figures: what of programs' variables the bus tells, and what the replay (docs/optimised.md): make visible SHADOW_VISIBLE=programs
SHADOW_VISIBLE ?= $(EXAMPLES_ELF)
visible: $(SHADOW_DIR)/visible $(if $(filter file,$(origin SHADOW_VISIBLE)),$(EXAMPLES_ELF))
	$< $(SHADOW_VISIBLE)
.PHONY: visible
$(SHADOW_DIR)/visible: $(SHADOW_DIR)/visible.o $(B)/tests/softprobe/plain.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) $(B)/libearshot.a -o $@ $(HOST_LIBS) -lm
