# The test program is compiled three ways; what the symbols say is compared with the compiler's own tables and with binutils.

SYMBOLS_TEST_DIR := $(B)/tests/symbols
SYMBOLS_TEST_ELFS := $(foreach level,O0 Og O2,$(SYMBOLS_TEST_DIR)/program-$(level).elf) \
  $(addprefix $(SYMBOLS_TEST_DIR)/,dwarf2.elf dwarf4.elf compressed.elf norelax.elf removed.elf nodebug.elf library.elf registers.elf object.o) \
  $(foreach level,O0 Og O2,$(SYMBOLS_TEST_DIR)/stores-$(level).elf) \
  $(foreach level,Og O1 O2 Os dwarf4,$(SYMBOLS_TEST_DIR)/lives-$(level).elf) \
  $(foreach level,O0 O2 dwarf2 dwarf4 zero,$(SYMBOLS_TEST_DIR)/gc-$(level).elf) \
  $(foreach level,Og O1 O2 Os,$(SYMBOLS_TEST_DIR)/floats-$(level).elf)
SYMBOLS_TEST_SRC := $(addprefix tests/symbols/,program.c second.c leaf.S)
SYMBOLS_TEST_CC := scripts/target-cc -Wall -Wextra
# for tests that look at the words of code themselves
SYMBOLS_TEST_WORDS := -march=rv32i_zicsr
SYMBOLS_TEST_DEP := $(SYMBOLS_TEST_SRC) $(EXAMPLES_SUPPORT)

$(SYMBOLS_TEST_DIR)/program-%.elf: $(SYMBOLS_TEST_DEP)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -$* $(SYMBOLS_TEST_SRC) -o $@
$(SYMBOLS_TEST_DIR)/stores-%.elf: tests/symbols/stores.c tests/symbols/stores.S $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) $(SYMBOLS_TEST_WORDS) -$* tests/symbols/stores.c tests/symbols/stores.S -o $@
$(SYMBOLS_TEST_DIR)/lives-%.elf: tests/symbols/lives.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) $(SYMBOLS_TEST_WORDS) $(if $(filter dwarf%,$*),-O2 -g$(subst dwarf,dwarf-,$*),-$*) $< -o $@
# Without the C library, of which there is none for this convention of calls.
$(SYMBOLS_TEST_DIR)/floats-%.elf: tests/symbols/floats.c
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc -march=rv32imafd -mabi=ilp32d -Wall -Wextra -g -$* -nostdlib -Wl,-Ttext=0 -Wl,-Tdata=0x20000 -Wl,-emain $< -o $@
$(SYMBOLS_TEST_DIR)/dwarf%.elf: $(SYMBOLS_TEST_DEP)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -gdwarf-$* -gstrict-dwarf $(SYMBOLS_TEST_SRC) -o $@
$(SYMBOLS_TEST_DIR)/compressed.elf: $(SYMBOLS_TEST_DEP)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -Os -march=rv32ic_zicsr -gz $(SYMBOLS_TEST_SRC) -o $@
$(SYMBOLS_TEST_DIR)/norelax.elf: $(SYMBOLS_TEST_DEP)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -O1 -Wl,--no-relax $(SYMBOLS_TEST_SRC) -o $@
$(SYMBOLS_TEST_DIR)/removed.elf: tests/symbols/removed.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -ffunction-sections -fdata-sections -Wl,--gc-sections $< -o $@
# Without relaxation the assembler knows the distances of rows, so that those of what is removed keep theirs.
SYMBOLS_TEST_GC := -mno-relax -ffunction-sections -Wl,--gc-sections
$(SYMBOLS_TEST_DIR)/gc-zero.elf: tests/symbols/gc.c
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc -march=rv32i -mabi=ilp32 -g -O1 $(SYMBOLS_TEST_GC) -nostdlib -Wl,-Ttext=0 -Wl,-emain $< -o $@
$(SYMBOLS_TEST_DIR)/gc-%.elf: tests/symbols/gc.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) $(if $(filter dwarf%,$*),-O1 -g$(subst dwarf,dwarf-,$*),-$*) $(SYMBOLS_TEST_GC) $< -o $@
$(SYMBOLS_TEST_DIR)/registers.elf: tests/symbols/registers.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -O0 $< -o $@
$(SYMBOLS_TEST_DIR)/library.elf: tests/symbols/library.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -O0 $< -o $@
$(SYMBOLS_TEST_DIR)/nodebug.elf: tests/symbols/removed.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -Wl,--strip-debug $< -o $@
$(SYMBOLS_TEST_DIR)/object.o: tests/symbols/removed.c scripts/target-cc
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(SYMBOLS_TEST_CC) -c $< -o $@

SYMBOLS_TEST_HOST := $(wildcard host/symbols/*.c host/isa/*.c host/isa/*/*.c) $(addprefix host/base/,arena.c cxx_name.c error.c roomy.c text.c)
SYMBOLS_TEST_OBJ := $(SYMBOLS_TEST_HOST:%.c=$(B)/%.o)
SYMBOLS_TEST_FLAGS := -Itests/support -Itests/symbols -DTEST_DIR='"$(SYMBOLS_TEST_DIR)"' -DCROSS='"$(CROSS)"'
SYMBOLS_TEST_LIBS := $(shell pkg-config --libs check libdw libelf) -lstdc++

SYMBOLS_TEST_SUPPORT := tests/symbols/common.c tests/symbols/exercise.c
$(SYMBOLS_TEST_DIR)/test_%: tests/symbols/test_%.c $(SYMBOLS_TEST_SUPPORT) tests/symbols/common.h tests/symbols/exercise.h $(SYMBOLS_TEST_OBJ) $(SYMBOLS_TEST_ELFS)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(SYMBOLS_TEST_FLAGS) $< $(SYMBOLS_TEST_SUPPORT) $(SYMBOLS_TEST_OBJ) -o $@ $(SYMBOLS_TEST_LIBS)

TESTS += $(addprefix $(SYMBOLS_TEST_DIR)/,test_types test_variables test_code test_open test_mutation test_stores test_lives test_lines test_floats)

# Coverage-guided fuzzing of es_symbols_open, for FUZZ_SECONDS, starting from the test programs.
FUZZ_SECONDS ?= 60
$(SYMBOLS_TEST_DIR)/fuzz: tests/symbols/fuzz.c tests/symbols/exercise.c tests/symbols/exercise.h $(SYMBOLS_TEST_HOST) $(wildcard host/symbols/*.h) $(SYMBOLS_TEST_ELFS)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  $(filter-out -MMD -MP,$(CPPFLAGS)) $(SYMBOLS_TEST_FLAGS) $< tests/symbols/exercise.c $(SYMBOLS_TEST_HOST) -o $@ $(SYMBOLS_TEST_LIBS)
fuzz-symbols: $(SYMBOLS_TEST_DIR)/fuzz
	@mkdir -p $(SYMBOLS_TEST_DIR)/corpus
	cp $(filter %.elf,$(SYMBOLS_TEST_ELFS)) $(SYMBOLS_TEST_DIR)/corpus
	$< $(FUZZ_LIMIT) -timeout=10 -artifact_prefix=$(SYMBOLS_TEST_DIR)/ $(SYMBOLS_TEST_DIR)/corpus
.PHONY: fuzz-symbols
FUZZ += symbols
fuzzers: $(SYMBOLS_TEST_DIR)/fuzz
