# Instruction sets: decoders against binutils and clang, programs for many of them, the flow engine, and a second instruction set through the analyses.

ISA_TEST_DIR := $(B)/tests/isa
ISA_TEST_HOST := $(wildcard host/isa/*.c host/isa/*/*.c) host/base/arena.c host/base/roomy.c
ISA_TEST_OBJ := $(ISA_TEST_HOST:%.c=$(B)/%.o)
$(ISA_TEST_DIR)/decoded: tests/isa/decoded.c $(ISA_TEST_OBJ)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $^ -o $@
$(ISA_TEST_DIR)/decode: tests/isa/rules.mk | $(ISA_TEST_DIR)/decoded
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/isa/decode.py\n' > $@ && chmod +x $@
$(ISA_TEST_DIR)/programs: tests/isa/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/isa/programs.py\n' > $@ && chmod +x $@
# A second instruction set: what follows code knows no other one.
$(ISA_TEST_DIR)/toy: tests/isa/test_toy.c tests/isa/toy.c tests/isa/toy.h $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(HOST_CFLAGS) -Itests/isa -Itests/support $(filter %.c %.a,$^) -o $@ \
	  $(shell pkg-config --libs check) $(HOST_LIBS) -lm

$(ISA_TEST_DIR)/operations: tests/isa/operations.c tests/support/draw.h $(ISA_TEST_OBJ)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $(filter %.c %.o,$^) -o $@

TESTS += $(addprefix $(ISA_TEST_DIR)/,decode operations programs toy)
