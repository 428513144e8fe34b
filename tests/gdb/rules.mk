# host/gdb: packets, movements, and the real gdb on a timeline of the tests' own (double.h) and on recordings.

GDB_TEST_DIR := $(B)/tests/gdb
GDB_TEST_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard host/gdb/*.c) host/replay/past.c host/replay/past_back.c host/replay/moment.c)
$(GDB_TEST_DIR)/double.o: tests/gdb/double.c tests/gdb/double.h | $(DEFS)
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(GDB_TEST_DIR)/double.d

$(GDB_TEST_DIR)/packet $(GDB_TEST_DIR)/double_gdb: $(GDB_TEST_DIR)/%: $(GDB_TEST_DIR)/double.o $(GDB_TEST_OBJ) $(B)/libearshot.a tests/support/check_main.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $(filter %.c %.o %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
$(GDB_TEST_DIR)/packet: tests/gdb/test_packet.c
$(GDB_TEST_DIR)/double_gdb: tests/gdb/double_gdb.c

TESTS += $(GDB_TEST_DIR)/packet

# Its rest is Python: what stands in the build folder names it for scripts/run-tests.
GDB_PROGRAMS := $(addprefix $(B)/examples/,thermostat-O0.elf thermostat-O2.elf recursion-O0.elf recursion-O2.elf interrupts-O0.elf interrupts-O2.elf \
  nested-O0.elf nested-O2.elf tasks-O0.elf tasks-O2.elf) \
  $(B)/tests/cli/kernels1.elf
$(addprefix $(GDB_TEST_DIR)/,session recorded protocol page): $(GDB_TEST_DIR)/%: tests/gdb/rules.mk | $(GDB_TEST_DIR)/double_gdb \
  $(B)/tests/oracle/retire-log $(B)/earshot $(GDB_PROGRAMS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/gdb/$*.py\n' > $@ && chmod +x $@
TESTS += $(addprefix $(GDB_TEST_DIR)/,session recorded protocol page)

$(addprefix $(GDB_TEST_DIR)/,apart.elf created.elf lists.elf): $(GDB_TEST_DIR)/%.elf: tests/gdb/%.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra $< -o $@
$(GDB_TEST_DIR)/threads: tests/gdb/rules.mk | $(GDB_TEST_DIR)/double_gdb $(addprefix $(GDB_TEST_DIR)/,apart.elf created.elf lists.elf) $(B)/examples/tasks-O2.elf \
  $(addprefix $(B)/tests/cli/kernels,1.elf 8.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/gdb/threads.py\n' > $@ && chmod +x $@
TESTS += $(GDB_TEST_DIR)/threads

# Big-endian programs: the same against the retire port of the target that runs them, and values against native runs
GDB_BIG := $(B)/cores/reference-data-big
$(GDB_TEST_DIR)/recorded_big: tests/gdb/rules.mk | $(GDB_BIG)/earshot $(GDB_BIG)/tests/oracle/retire-log $(addprefix $(B)/cores/examples/big-endian/,$(EXAMPLES_NAMES))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(GDB_BIG) CROSS=$(CROSS) exec $(PYTHON) tests/gdb/recorded.py\n' > $@ && chmod +x $@
$(GDB_TEST_DIR)/big_endian: tests/gdb/rules.mk | $(GDB_BIG)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/gdb/big_endian.py\n' > $@ && chmod +x $@
TESTS += $(addprefix $(GDB_TEST_DIR)/,recorded_big big_endian)

# Coverage-guided fuzzing of packets and the server, for FUZZ_SECONDS.
GDB_FUZZ_SRC := $(wildcard host/gdb/*.c host/machine/*.c host/isa/*.c host/isa/*/*.c) host/replay/past.c host/replay/past_back.c host/replay/moment.c \
  $(addprefix host/base/,arena.c bytes.c error.c text.c times.c roomy.c) tests/gdb/double.c
$(GDB_TEST_DIR)/fuzz: tests/gdb/fuzz.c tests/gdb/fuzz_symbols.c $(GDB_FUZZ_SRC) $(DEFS)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Ihost -Iinterface -I$(B)/gen \
	  $(filter %.c,$^) -o $@ -lm
fuzz-gdb: $(GDB_TEST_DIR)/fuzz
	mkdir -p $(GDB_TEST_DIR)/corpus
	$(GDB_TEST_DIR)/fuzz $(FUZZ_LIMIT) -max_len=512 -dict=tests/gdb/packets.dict -artifact_prefix=$(GDB_TEST_DIR)/ $(GDB_TEST_DIR)/corpus
.PHONY: fuzz-gdb
FUZZ += gdb
fuzzers: $(GDB_TEST_DIR)/fuzz
