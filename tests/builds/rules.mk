# One program, built with each kind of debug information.

BUILDS_DIR := $(B)/tests/builds
BUILDS_SRC := $(addprefix tests/builds/,main.c queue.c other.c)
BUILDS_KINDS := plain lto lto-O2 lto-parts types types-dwarf4 macros split split-dwarf4 lines partly
BUILDS_ELF := $(BUILDS_KINDS:%=$(BUILDS_DIR)/%.elf)
BUILDS_plain := -O0
BUILDS_lto := -O0 -flto -flto-partition=none
BUILDS_lto-O2 := -O2 -flto
BUILDS_lto-parts := -Wno-lto-type-mismatch -O1 -flto -flto-partition=max
BUILDS_types := -O0 -fdebug-types-section
BUILDS_types-dwarf4 := -O0 -fdebug-types-section -gdwarf-4
BUILDS_macros := -O0 -g3 -ffunction-sections -fdata-sections -Wl,--gc-sections
BUILDS_split := -O0 -gsplit-dwarf -dumpdir $(BUILDS_DIR)/
BUILDS_split-dwarf4 := -O0 -gsplit-dwarf -gdwarf-4 -dumpdir $(BUILDS_DIR)/
BUILDS_lines := -O0 -g1
$(BUILDS_DIR)/partly.elf: $(BUILDS_SRC) tests/builds/queue.h $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -g0 -c tests/builds/queue.c -o $(BUILDS_DIR)/queue-g0.o
	CROSS=$(CROSS) scripts/target-cc -O0 tests/builds/main.c tests/builds/other.c $(BUILDS_DIR)/queue-g0.o -o $@
$(BUILDS_DIR)/inlined-%.elf: tests/builds/inlined.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra -$* $< -o $@
BUILDS_ENTRY := tests/builds/entry.c $(EXAMPLES_SUPPORT)
$(BUILDS_DIR)/patched-%.elf: $(BUILDS_ENTRY)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra -fpatchable-function-entry=$(subst -, -,$*) $< -o $@
# What lies in .data.ram is writable, the assembler is told so, and says that it does not like it.
$(BUILDS_DIR)/among-%.elf: $(BUILDS_ENTRY)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra -$* -DRAM='".data.ram"' -Wa,--no-warn $< -o $@
$(BUILDS_DIR)/both-%.elf: $(BUILDS_ENTRY)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra -$* -fpatchable-function-entry=3,1 -DRAM='".data.ram"' -Wa,--no-warn $< -o $@
$(BUILDS_DIR)/mapped-%.elf: tests/builds/entry.c tests/builds/ram.ld tests/builds/ram_start.S
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc -march=rv32i_zicsr -mabi=ilp32 -ffreestanding -nostdlib -static -g -Wall -Wextra -$* -DRAM='".ramfunc"' \
	  -Wl,--no-warn-rwx-segments -T tests/builds/ram.ld tests/builds/ram_start.S $< -o $@
$(BUILDS_DIR)/twice.elf: tests/builds/twice.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra -Wno-misleading-indentation $< -o $@
$(BUILDS_DIR)/%.elf: $(BUILDS_SRC) tests/builds/queue.h $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Wall -Wextra $(BUILDS_$*) $(BUILDS_SRC) -o $@
$(BUILDS_DIR)/builds: tests/builds/rules.mk | $(B)/earshot $(BUILDS_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) PYTHONPATH=tests/cli exec $(PYTHON) tests/builds/builds.py\n' > $@ && chmod +x $@
BUILDS_INLINED := $(foreach level,O0 Og O1 Os O2 O3,$(BUILDS_DIR)/inlined-$(level).elf)
$(BUILDS_DIR)/inlined: tests/builds/rules.mk | $(B)/earshot $(BUILDS_INLINED)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) PYTHONPATH=tests/cli exec $(PYTHON) tests/builds/inlined.py\n' > $@ && chmod +x $@
BUILDS_PLACES := patched-1 patched-4,2 patched-2,2 among mapped both
BUILDS_PLACED := $(foreach level,O0 Og O2,$(BUILDS_PLACES:%=%-$(level)))
$(BUILDS_DIR)/entry: tests/builds/rules.mk | $(B)/earshot $(BUILDS_PLACED:%=$(BUILDS_DIR)/%.elf) $(BUILDS_DIR)/twice.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) PYTHONPATH=tests/cli exec $(PYTHON) tests/builds/entry.py\n' > $@ && chmod +x $@
TESTS += $(addprefix $(BUILDS_DIR)/,builds inlined entry)
