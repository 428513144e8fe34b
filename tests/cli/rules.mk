# The real binary, driven from outside; and the checkers for C.

CLI_TEST_DIR := $(B)/tests/cli
CLI_TEST_ELF := $(CLI_TEST_DIR)/values.elf $(CLI_TEST_DIR)/forever.elf $(CLI_TEST_DIR)/verdicts.elf $(CLI_TEST_DIR)/trap.elf
$(CLI_TEST_ELF): $(CLI_TEST_DIR)/%.elf: tests/cli/%.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra $< -o $@
$(addprefix $(CLI_TEST_DIR)/,command-line results refusals): $(CLI_TEST_DIR)/%: tests/cli/rules.mk | $(B)/earshot $(B)/earshotd $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf $(B)/examples/recursion-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/cli/$(subst -,_,$*).py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/actions: tests/cli/rules.mk | $(B)/earshot $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/actions.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/statements: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/statements.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/endings: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/endings.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/memory: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/memory.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/expectations: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/expectations.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/test-command: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/test_command.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/terminal: tests/cli/rules.mk | $(B)/earshot $(foreach example,thermostat tasks recursion,$(B)/examples/$(example)-O0.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/terminal.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/ticks.elf: tests/cli/ticks.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra $< -o $@
$(CLI_TEST_DIR)/live: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_DIR)/ticks.elf $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/live.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/top: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_DIR)/ticks.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/top.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/stats: tests/cli/rules.mk | $(B)/earshot $(B)/earshotd $(CLI_TEST_DIR)/ticks.elf $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/stats.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/list: tests/cli/rules.mk | $(B)/earshot $(foreach name,thermostat-O0 thermostat-O2 tasks-O2,$(B)/examples/$(name).elf) \
  $(foreach level,O0 Og O2,$(B)/tests/symbols/program-$(level).elf) $(CLI_TEST_DIR)/kernels1.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/cli/list.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/registers.elf: tests/cli/registers.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O2 -Wall -Wextra $< -o $@
$(CLI_TEST_DIR)/registers: tests/cli/rules.mk | $(B)/earshot $(CLI_TEST_DIR)/registers.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/registers.py\n' > $@ && chmod +x $@

CLI_KERNELS := $(patsubst %,$(CLI_TEST_DIR)/kernels%.elf,1 2 3 4 5 6 7 8)
$(CLI_KERNELS): $(CLI_TEST_DIR)/kernels%.elf: tests/cli/kernels.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra -DKERNEL=$* $< -o $@
$(CLI_TEST_DIR)/kernels: tests/cli/rules.mk | $(B)/earshot $(CLI_KERNELS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/kernels.py\n' > $@ && chmod +x $@

CLI_STACKS := $(patsubst %,$(CLI_TEST_DIR)/stacks%.elf,1 2 3 4 5 6 7)
$(CLI_STACKS): $(CLI_TEST_DIR)/stacks%.elf: tests/cli/stacks.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra -DSHAPE=$* $< -o $@
$(CLI_TEST_DIR)/stacks: tests/cli/rules.mk | $(B)/earshot $(CLI_STACKS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/stacks.py\n' > $@ && chmod +x $@

$(CLI_TEST_DIR)/pages: tests/cli/rules.mk | $(B)/earshot $(B)/virtual-probe $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/pages.py\n' > $@ && chmod +x $@
# The block diagrams of the pages, from their sources.
.PHONY: block-pictures
block-pictures:
	for source in docs/pictures/*.blocks; do scripts/block-picture $$source $${source%.blocks}.svg || exit 1; done
$(CLI_TEST_DIR)/test_base: tests/cli/test_base.c tests/support/check_main.h $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $< $(B)/libearshot.a -o $@ \
	  $(shell pkg-config --libs check) $(HOST_LIBS) -lm
$(CLI_TEST_DIR)/structure: tests/cli/rules.mk host/rules.mk | $(B)/libearshot.a $(B)/libearshot.so $(B)/include/made $(B)/earshot $(B)/earshotd $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CC="$(CC)" SAN="$(SAN)" HOST_LIBS="$(HOST_LIBS)" exec $(PYTHON) tests/cli/structure.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/makefiles: tests/cli/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cli/makefiles.py\n' > $@ && chmod +x $@
$(CLI_TEST_DIR)/runner: tests/cli/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/cli/runner.py\n' > $@ && chmod +x $@
TESTS += $(addprefix $(CLI_TEST_DIR)/,runner makefiles command-line results refusals test-command actions expectations statements terminal endings memory registers kernels stacks structure pages test_base)
TESTS += $(CLI_TEST_DIR)/list $(CLI_TEST_DIR)/live $(CLI_TEST_DIR)/top $(CLI_TEST_DIR)/stats
ALONE += $(addprefix $(CLI_TEST_DIR)/,live top endings)

# What .clang-tidy agrees on, and cppcheck, over all C that people wrote. clang's analyzer follows so many states of each function: it is
# nearly all of the time that this takes. 75,000 is what clang itself calls shallow; its default of 225,000 takes three times as long.
TIDY_NODES := 75000
TIDY_BUDGET := -Xclang -analyzer-config -Xclang max-nodes=$(TIDY_NODES)
LINT_C_HOST := $(wildcard host/*/*.c host/*/*/*.c)
LINT_C_FIRMWARE := $(wildcard firmware/*.c firmware/library/*.c)
LINT_C_SIM := $(wildcard sim/*.c sim/*/*.c)
.PHONY: lint-c
lint-c: $(B)/gen/version.h $(B)/gen/probe_defs.h $(B)/gen/rv32_defs.h $(B)/gen/cpu_cycles.h
	$(call say,TIDY,host sim)
	scripts/tidy $(B)/tidy $(LINT_C_HOST) $(LINT_C_SIM) -- -std=c11 -D_GNU_SOURCE $(filter-out -MMD -MP,$(CPPFLAGS)) $(HOST_CFLAGS) \
	  $(shell pkg-config --cflags umockdev-1.0) $(TIDY_BUDGET)
	$(call say,TIDY,firmware)
	scripts/tidy $(B)/tidy $(LINT_C_FIRMWARE) -- -std=c11 --target=riscv32-unknown-elf -march=rv32i -ffreestanding -Iinterface -I$(B)/gen $(TIDY_BUDGET)
	$(call say,CPPCHECK,host firmware sim)
	mkdir -p $(B)/cppcheck
	cppcheck --quiet --cppcheck-build-dir=$(B)/cppcheck -j $(shell nproc) --std=c11 --enable=warning,performance,portability --error-exitcode=1 \
	  --inline-suppr -D_GNU_SOURCE -Ihost -Iinterface \
	  -Isim -I$(B)/gen $(LINT_C_HOST) $(LINT_C_FIRMWARE) $(LINT_C_SIM)
LINT += lint-c

# How C and C++ are laid out: .clang-format, by clang-format 14. Programs under test are not: their lines are what tests expect.
FORMAT_NOT := interface/routines.h sim/bench/isolated.c $(wildcard tests/builds/*.[ch] tests/check/hard/*.c tests/names/*.c tests/names/*.cpp \
  tests/names/*.h tests/names/*.hpp tests/sim/programs/*.c) $(wildcard tests/lang/plattner*.c) \
  $(patsubst %,tests/cli/%.c,forever kernels registers stacks ticks trap values verdicts) \
  $(patsubst %,tests/e2e/%.c,doubts elements flood late quiet restart start_up walk) \
  tests/why/decisions.c tests/machine/frames.c \
  $(patsubst %,tests/mp/%.c,claims corners formatted raw) tests/oracle/numbers.c tests/oracle/snapshots.c \
  $(patsubst %,tests/symbols/%.c,gc library lives program removed second stores)
FORMAT_FILES = $(filter-out $(FORMAT_NOT),$(shell find host include examples/library firmware integration sim tests interface -name '*.[ch]' -o -name '*.[ch]pp'))
CLANG_FORMAT ?= $(or $(shell command -v clang-format-14),clang-format)
.PHONY: lint-format format
lint-format:
	@$(CLANG_FORMAT) --version | grep -q 'version 14\.' || { echo 'clang-format 14 is needed (CLANG_FORMAT=its name): others differ'; exit 1; }
	$(CLANG_FORMAT) --dry-run -Werror $(FORMAT_FILES)
	@awk 'length($$0) > 120 {print FILENAME ":" FNR ": more than 120 columns"; bad = 1} END {exit bad}' $(filter-out tests/%,$(FORMAT_FILES))
format:
	$(CLANG_FORMAT) -i $(FORMAT_FILES)
LINT += lint-format

# Words that a newcomer stumbles over.
.PHONY: lint-words
lint-words:
	scripts/lint-words README.md $(filter-out docs/glossary.md,$(shell find docs examples firmware host include integration interface packaging python rtl sim tests \
	  -type f -not -name '*.svg')) $(filter-out scripts/lint-words,$(wildcard scripts/*)) Makefile
LINT += lint-words

LINT_SCRIPTS := $(wildcard scripts/* packaging/* python/*/*.py integration/*/*.py integration/*/*/*.py examples/litex/*.py .ci/* tests/*/* tests/*/*/*)
LINT_PYTHON := $(filter %.py,$(LINT_SCRIPTS)) $(shell grep -lsm1 '^#!/usr/bin/python3' $(filter scripts/%,$(LINT_SCRIPTS)))
LINT_SHELL := $(shell grep -lsEm1 '^#!/bin/(ba)?sh' $(LINT_SCRIPTS))
.PHONY: lint-scripts
lint-scripts:
	$(call say,LINT,scripts)
	pyflakes3 $(LINT_PYTHON)
	shellcheck -x $(LINT_SHELL)
LINT += lint-scripts
