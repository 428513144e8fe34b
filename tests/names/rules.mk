# Names of C++ and of static procedures, against what the same sources tell on this machine.

NAMES_DIR := $(B)/tests/names
NAMES_C := tests/names/parts.c tests/names/parts2.c
NAMES_CXX := tests/names/methods.cpp tests/names/kinds.cpp
NAMES_ELF := $(NAMES_DIR)/names-O0.elf $(NAMES_DIR)/names-Og.elf
$(NAMES_ELF): $(NAMES_DIR)/names-%.elf: $(NAMES_CXX) $(NAMES_C) tests/names/parts.h tests/names/kinds.hpp $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -$* $(if $(filter O0,$*),,-fno-inline -fno-ipa-icf) -Wall -Wextra $(NAMES_CXX) $(NAMES_C) -o $@
$(NAMES_DIR)/native: $(NAMES_CXX) $(NAMES_C) tests/names/parts.h tests/names/kinds.hpp
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) -DTELL -O0 -c tests/names/parts.c -o $@-parts.o
	$(CC) -DTELL -O0 -c tests/names/parts2.c -o $@-parts2.o
	g++ -DTELL -O0 $(NAMES_CXX) $@-parts.o $@-parts2.o -o $@
$(NAMES_DIR)/names: tests/names/rules.mk | $(B)/earshot $(NAMES_ELF) $(NAMES_DIR)/native
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/names/names.py\n' > $@ && chmod +x $@
TESTS += $(NAMES_DIR)/names
