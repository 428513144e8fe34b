# Statements are tested over a made-up program (fake_symbols.c), without an ELF.

LANG_TEST_SRC := tests/lang/fake_symbols.c host/base/arena.c host/base/error.c host/base/text.c $(wildcard host/lang/*.c)
LANG_TEST_DEP := $(LANG_TEST_SRC) tests/lang/fake_symbols.h $(wildcard host/lang/*.h) host/symbols/symbols.h host/base/error.h \
  tests/support/check_main.h $(B)/gen/probe_defs.h
LANG_TEST_CHECK := $(shell pkg-config --libs check)

$(B)/tests/lang/%: tests/lang/%.c tests/lang/show.c tests/lang/show.h $(LANG_TEST_DEP)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/lang -Itests/support $< tests/lang/show.c $(LANG_TEST_SRC) -o $@ $(LANG_TEST_CHECK)

TESTS += $(B)/tests/lang/test_accept $(B)/tests/lang/test_errors $(B)/tests/lang/test_mutation

# Coverage-guided fuzzing of the parser, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
$(B)/tests/lang/fuzz: tests/lang/fuzz.c $(LANG_TEST_DEP)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/lang $< $(LANG_TEST_SRC) -o $@

fuzz-lang: $(B)/tests/lang/fuzz
	@mkdir -p $(B)/tests/lang/corpus
	$< -max_total_time=$(FUZZ_SECONDS) -max_len=512 -dict=tests/lang/fuzz.dict -artifact_prefix=$(B)/tests/lang/ $(B)/tests/lang/corpus
.PHONY: fuzz-lang
