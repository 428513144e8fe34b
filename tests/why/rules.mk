# host/why: slices of recordings, against a program whose flow of values is written beside its lines.

$(B)/tests/why/flow: tests/why/rules.mk | $(B)/earshot $(B)/tests/oracle/retire-log $(addprefix $(B)/examples/,thermostat-O2.elf recursion-O0.elf interrupts-O0.elf interrupts-O2.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/why/flow.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/why/flow

# Memory that others change
$(B)/tests/why/changed: tests/why/rules.mk | $(B)/earshot $(SHARED_RUN) $(DMA_ELF) $(B)/tests/threads/convoy.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/why/changed.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/why/changed

# Big-endian programs, on the target that runs them
WHY_BIG := $(B)/cores/reference-data-big
$(B)/tests/why/flow_big: tests/why/rules.mk | $(WHY_BIG)/earshot $(WHY_BIG)/tests/oracle/retire-log $(addprefix $(B)/cores/examples/big-endian/,$(EXAMPLES_NAMES))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(WHY_BIG) EARSHOT_TARGET_FLAGS=-mbig-endian CROSS=$(CROSS) exec $(PYTHON) tests/why/flow.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/why/flow_big

# Which variable a name means, as gdb has it
$(B)/tests/why/scopes: tests/why/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/why/scopes.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/why/scopes
