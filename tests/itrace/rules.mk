# Instruction traces: each line against the reference target's retire port.

ITRACE_DIR := $(B)/tests/itrace
ITRACE_ELF := $(foreach name,recursion-O0 thermostat-O2 tasks-O2 nested-Og interrupts-O0,$(B)/examples/$(name).elf) $(B)/tests/replay/corners-O2.elf \
  $(B)/tests/machine/torture-O2-rv32imc_zicsr_zifencei.elf
$(ITRACE_DIR)/retired: tests/itrace/retired.c tests/itrace/rules.mk $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c,$^) -o $@ $(SIM_LIBS)
$(ITRACE_DIR)/itrace: tests/itrace/rules.mk | $(B)/earshot $(ITRACE_DIR)/retired $(ITRACE_ELF)
	$(call say,GEN,$@)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/itrace/itrace.py $(ITRACE_ELF)\n' > $@ && chmod +x $@
TESTS += $(ITRACE_DIR)/itrace
