# Statements are tested over a made-up program (fake_symbols.c), without an ELF.

LANG_TEST_SRC := tests/lang/fake_symbols.c $(addprefix host/base/,arena.c cxx_name.c error.c names.c text.c) $(wildcard host/lang/*.c)
LANG_TEST_DEP := $(LANG_TEST_SRC) $(wildcard tests/lang/*.h) $(wildcard host/lang/*.h) host/symbols/symbols.h host/base/error.h \
  tests/support/check_main.h $(B)/gen/probe_defs.h
LANG_TEST_CHECK := $(shell pkg-config --libs check)

$(B)/tests/lang/%: tests/lang/%.c tests/lang/show.c tests/lang/show.h tests/lang/required.c $(LANG_TEST_DEP)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/lang -Itests/support $< tests/lang/show.c tests/lang/required.c $(LANG_TEST_SRC) -o $@ $(LANG_TEST_CHECK)

TESTS += $(addprefix $(B)/tests/lang/,test_accept test_errors test_mutation test_language test_features test_paths test_problems test_cxx_names test_casts test_paper)

# The paper's examples, over programs that a compiler made.
LANG_PAPER := $(B)/tests/lang/test_paper
LANG_PAPER_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard host/lang/*.c) $(wildcard host/symbols/*.c) $(wildcard host/isa/*.c host/isa/*/*.c) $(addprefix host/base/,arena.c cxx_name.c error.c names.c roomy.c text.c))
$(B)/tests/lang/%.elf: tests/lang/%.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -O0 $< -o $@
$(LANG_PAPER): tests/lang/test_paper.c $(LANG_PAPER_OBJ) $(B)/tests/lang/plattner1.elf $(B)/tests/lang/plattner2.elf
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/lang -Itests/support '-DLANG_TEST_PROGRAMS="$(@D)"' $< $(LANG_PAPER_OBJ) \
	  -o $@ $(LANG_TEST_CHECK) $(HOST_LIBS)

# The examples of the manual page and the reference, run. What stands in the build folder only starts the Python program.
LANG_MANUAL := $(B)/tests/lang/manual
$(LANG_MANUAL): tests/lang/rules.mk tests/lang/manual.py docs/man/earshot-statements.5 docs/statements.md | $(B)/earshot $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/lang/manual.py\n' > $@ && chmod +x $@
TESTS += $(LANG_MANUAL)

# Coverage-guided fuzzing of the parser, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
$(B)/tests/lang/fuzz: tests/lang/fuzz.c $(LANG_TEST_DEP)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/lang $< tests/lang/show.c tests/lang/required.c $(LANG_TEST_SRC) -o $@

fuzz-lang: $(B)/tests/lang/fuzz
	@mkdir -p $(B)/tests/lang/corpus
	tests/lang/seeds $(B)/tests/lang/corpus
	$< $(FUZZ_LIMIT) -max_len=512 -dict=tests/lang/fuzz.dict -artifact_prefix=$(B)/tests/lang/ $(B)/tests/lang/corpus
.PHONY: fuzz-lang
FUZZ += lang
fuzzers: $(B)/tests/lang/fuzz

# What is in registers, on the replay.
LANG_SHADOW := $(B)/tests/lang/test_shadow
$(B)/tests/lang/shadow-%.elf: tests/lang/shadow.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	scripts/target-cc -$* $< -o $@
$(LANG_SHADOW): tests/lang/test_shadow.c $(B)/libearshot.a $(B)/tests/lang/shadow-O2.elf
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support '-DLANG_TEST_PROGRAMS="$(@D)"' $< $(B)/libearshot.a \
	  -o $@ $(LANG_TEST_CHECK) $(HOST_LIBS)
TESTS += $(LANG_SHADOW)
