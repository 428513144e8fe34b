# Traces on disk: the writer, the reader, what disturbs them.

STORE_TEST_DIR := $(B)/tests/store
STORE_TEST_HELP := $(addprefix $(STORE_TEST_DIR)/,made.o scratch.o faults.o)
$(STORE_TEST_DIR)/%.o: tests/store/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/store -Itests/support -c $< -o $@
STORE_TESTS := $(patsubst tests/store/%.c,$(STORE_TEST_DIR)/%,$(wildcard tests/store/test_*.c))
$(STORE_TESTS): %: %.o $(STORE_TEST_HELP) $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(STORE_TESTS)
ALONE += $(STORE_TEST_DIR)/test_trace
-include $(wildcard $(STORE_TEST_DIR)/*.d)
$(STORE_TEST_DIR)/write-made: $(STORE_TEST_DIR)/write_made.o $(STORE_TEST_DIR)/made.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(STORE_TEST_DIR)/bench: $(STORE_TEST_DIR)/bench.o $(STORE_TEST_DIR)/made.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(STORE_TEST_DIR)/chain: $(STORE_TEST_DIR)/chain.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(STORE_TEST_DIR)/disturbed: tests/store/rules.mk | $(B)/earshot $(STORE_TEST_DIR)/write-made $(B)/examples/thermostat-O0.elf $(B)/examples/tasks-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/store/disturbed.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(STORE_TEST_DIR)/disturbed

# Coverage-guided fuzzing of the reader, for FUZZ_SECONDS each: what a trace is made of (fuzz_trace), and whole traces on disk (fuzz_reader). Inputs are small,
# so that there are many.
FUZZ_SECONDS ?= 60
STORE_FUZZ := $(addprefix $(STORE_TEST_DIR)/,fuzz_trace fuzz_reader)
$(STORE_FUZZ): $(STORE_TEST_DIR)/%: tests/store/%.c tests/store/made.c $(wildcard host/store/*.c) $(filter-out host/record/wire%,$(wildcard host/record/*.c)) \
  $(addprefix host/base/,arena.c error.c text.c json.c times.c)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost -Itests/store -Itests/support $(filter %.c,$^) -o $@ -lpthread -lm
fuzz-store: $(STORE_FUZZ) $(STORE_TEST_DIR)/write-made
	rm -rf $(STORE_TEST_DIR)/seeds && mkdir -p $(addprefix $(STORE_TEST_DIR)/,seeds/fuzz_trace seeds/fuzz_reader corpus/fuzz_trace corpus/fuzz_reader)
	set -e; cd $(STORE_TEST_DIR)/seeds; for kind in all plain; do \
	  ../write-made $$kind $$kind 40 > /dev/null; \
	  (printf '\3'; sed '/^event {/,$$d' $$kind/chunk-*/metadata) > fuzz_trace/metadata-$$kind; \
	  (printf '\1'; ../write-made schema $$kind) > fuzz_trace/schema-$$kind; \
	  (printf '\2'; tail -c +65 $$kind/chunk-*/stream_0 | head -c 2000) > fuzz_trace/events-$$kind; \
	  rm -rf events && mv $$kind events; done; \
	for flags in 0 1 2 4; do (printf "\\$$flags\\0\\144\\0"; tail -c +65 events/chunk-*/stream_0 | head -c 600) > fuzz_reader/$$flags; done; rm -r events
	set -e; for kind in fuzz_trace fuzz_reader; do $(STORE_TEST_DIR)/$$kind $(FUZZ_LIMIT) -max_len=4096 -artifact_prefix=$(STORE_TEST_DIR)/ \
	  $(STORE_TEST_DIR)/corpus/$$kind $(STORE_TEST_DIR)/seeds/$$kind; done
.PHONY: fuzz-store
FUZZ += store
fuzzers: $(STORE_FUZZ) $(STORE_TEST_DIR)/write-made

# Hits stored and read back, and the whole way of hits from the link to the disk, beside what babeltrace2 does with the same trace; on one core.
BENCH_HITS ?= 4000000
bench-store: $(STORE_TEST_DIR)/bench $(STORE_TEST_DIR)/chain $(B)/earshot $(B)/examples/thermostat-Og.elf
	$(PYTHON) tests/store/bench.py $^ tests/store/chain.watch $(BENCH_HITS)
BENCH += bench-store
.PHONY: bench-store
