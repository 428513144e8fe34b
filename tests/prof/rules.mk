# Exact profiles of recordings, and traces of all their calls: against native runs of the same source, the retire port,
# and other readers.

PROF_DIR := $(B)/tests/prof
PROF_CALLS := $(foreach level,O0 Og O2 Os,$(PROF_DIR)/calls-$(level).elf)
$(PROF_CALLS): $(PROF_DIR)/calls-%.elf: tests/prof/programs/calls.c tests/prof/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -$* -Wall -Wextra -Werror $< -o $@
PROF_JUMPS := $(foreach level,O0 O2,$(PROF_DIR)/jumps-$(level).elf)
$(PROF_JUMPS): $(PROF_DIR)/jumps-%.elf: tests/prof/programs/jumps.c tests/prof/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -$* -Wall -Wextra -Werror -Wno-infinite-recursion $< -o $@
$(PROF_DIR)/profiles $(PROF_DIR)/traces: $(PROF_DIR)/%: tests/prof/rules.mk | $(B)/earshot $(B)/tests/itrace/retired $(PROF_CALLS) $(PROF_JUMPS) \
  $(foreach name,recursion-O0 tasks-O0 tasks-O2 nested-O0 interrupts-O0,$(B)/examples/$(name).elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/prof/$*.py\n' > $@ && chmod +x $@
TESTS += $(PROF_DIR)/profiles $(PROF_DIR)/traces
