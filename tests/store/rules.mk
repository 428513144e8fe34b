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

# Coverage-guided fuzzing of the reader, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
$(STORE_TEST_DIR)/fuzz: tests/store/fuzz_trace.c tests/store/made.c $(wildcard host/store/*.c) $(filter-out host/record/wire%,$(wildcard host/record/*.c)) \
  $(addprefix host/base/,arena.c error.c text.c json.c times.c)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost -Itests/store -Itests/support $^ -o $@ -lpthread -lm
fuzz-store: $(STORE_TEST_DIR)/fuzz $(STORE_TEST_DIR)/write-made
	rm -rf $(STORE_TEST_DIR)/seeds && mkdir -p $(STORE_TEST_DIR)/seeds $(STORE_TEST_DIR)/corpus
	$(STORE_TEST_DIR)/write-made $(STORE_TEST_DIR)/seeds/trace all 300 > /dev/null
	cd $(STORE_TEST_DIR)/seeds && (printf '\0'; cat trace/chunk-*/metadata) > metadata && \
	  (printf '\2'; tail -c +65 trace/chunk-*/stream_0) > events && rm -r trace
	$< $(FUZZ_LIMIT) -max_len=40000 -artifact_prefix=$(STORE_TEST_DIR)/ $(STORE_TEST_DIR)/corpus $(STORE_TEST_DIR)/seeds
.PHONY: fuzz-store
fuzz: fuzz-store

# Hits stored and read back, and the whole way of hits from the link to the disk, beside what babeltrace2 does with the same trace; on one core.
BENCH_HITS ?= 4000000
bench-store: $(STORE_TEST_DIR)/bench $(STORE_TEST_DIR)/chain $(B)/earshot $(B)/examples/thermostat-Og.elf
	$(PYTHON) tests/store/bench.py $^ tests/store/chain.watch $(BENCH_HITS)
BENCH += bench-store
.PHONY: bench-store
