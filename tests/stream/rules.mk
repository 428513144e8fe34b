# Tests of host/stream.

STREAM_TEST_DIR := $(B)/tests/stream
STREAM_OBJ := $(B)/host/stream/frame.o $(B)/host/stream/decoder.o

STREAM_TESTS := $(STREAM_TEST_DIR)/frame $(STREAM_TEST_DIR)/stream
$(STREAM_TESTS): $(STREAM_TEST_DIR)/%: tests/stream/%_check.c $(STREAM_OBJ) $(B)/gen/probe_defs.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $< $(STREAM_OBJ) -o $@ $(shell pkg-config --libs check)
-include $(wildcard $(STREAM_TEST_DIR)/*.d)

TESTS += $(STREAM_TESTS)

$(STREAM_TEST_DIR)/bench: tests/stream/bench.c $(STREAM_OBJ) $(B)/gen/probe_defs.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $< $(STREAM_OBJ) -o $@
bench-stream: $(STREAM_TEST_DIR)/bench
	$<
BENCH += bench-stream
.PHONY: bench-stream

# Coverage-guided fuzzing of the decoder, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
$(STREAM_TEST_DIR)/fuzz: tests/stream/fuzz_stream.c host/stream/frame.c host/stream/decoder.c $(B)/gen/probe_defs.h
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Ihost -I$(B)/gen -fsanitize=fuzzer,address,undefined \
	  -fno-sanitize-recover=undefined $(filter %.c,$^) -o $@
fuzz-stream: $(STREAM_TEST_DIR)/fuzz
	@mkdir -p $(STREAM_TEST_DIR)/corpus
	$< $(FUZZ_LIMIT) -max_len=8192 -print_final_stats=1 $(STREAM_TEST_DIR)/corpus
.PHONY: fuzz-stream
FUZZ += stream
fuzzers: $(STREAM_TEST_DIR)/fuzz
