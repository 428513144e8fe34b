# Other machines predicted: the engine against a naive one, what N cores take against N cores, the command.

PREDICT_TEST_DIR := $(B)/tests/predict
$(PREDICT_TEST_DIR)/%.o: tests/predict/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support -c $< -o $@
$(PREDICT_TEST_DIR)/run_text: $(PREDICT_TEST_DIR)/run_text.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(PREDICT_TEST_DIR)/naive: tests/predict/rules.mk | $(PREDICT_TEST_DIR)/run_text
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/predict/naive.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(addprefix $(PREDICT_TEST_DIR)/,naive)
-include $(wildcard $(PREDICT_TEST_DIR)/*.d)

# 48 machines and those of programs where time decides; `make soak` more than 300, with WRITE=1 the table of docs/predict.md is made again.
$(PREDICT_TEST_DIR)/truth: tests/predict/rules.mk | $(B)/earshot $(B)/shared-run
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nCROSS=$(CROSS) EARSHOT_BUILD=$(B) exec $(PYTHON) tests/predict/truth.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(PREDICT_TEST_DIR)/truth
soak-predict: $(PREDICT_TEST_DIR)/truth $(PREDICT_TEST_DIR)/naive
	$< $(if $(WRITE),--write,--soak)
	EARSHOT_GRAPHS=3000 $(PREDICT_TEST_DIR)/naive
soak: soak-predict
.PHONY: soak-predict

# Coverage-guided fuzzing of the reader of traces, for FUZZ_SECONDS.
PREDICT_FUZZ_SRC := $(addprefix host/predict/,event.c trace.c file_read.c machine.c reduce.c $(notdir $(wildcard host/predict/engine*.c))) \
  $(addprefix host/base/,arena.c error.c)
$(PREDICT_TEST_DIR)/fuzz_trace: tests/predict/fuzz_trace.c $(PREDICT_FUZZ_SRC)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost -Ihost/predict $(HOST_CFLAGS) $^ -o $@ $(shell pkg-config --libs libzstd) -lm
fuzz-predict: $(PREDICT_TEST_DIR)/fuzz_trace
	mkdir -p $(PREDICT_TEST_DIR)/corpus
	$< $(FUZZ_LIMIT) -max_len=4096 -artifact_prefix=$(PREDICT_TEST_DIR)/ $(PREDICT_TEST_DIR)/corpus

$(PREDICT_TEST_DIR)/bench: $(PREDICT_TEST_DIR)/bench.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
bench-predict: $(PREDICT_TEST_DIR)/bench
	$< $(PREDICT_TEST_DIR)/bench.trace
BENCH += bench-predict
.PHONY: fuzz-predict bench-predict

$(PREDICT_TEST_DIR)/command: tests/predict/rules.mk | $(B)/earshot $(B)/examples/recursion-O2.elf $(B)/shared-run \
  $(addprefix $(B)/tests/threads/,sor.elf pipeline.elf work.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/predict/command.py\n' > $@ && chmod +x $@
TESTS += $(PREDICT_TEST_DIR)/command

$(PREDICT_TEST_DIR)/sharing: tests/predict/rules.mk | $(B)/earshot $(B)/shared-run
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nCROSS=$(CROSS) EARSHOT_BUILD=$(B) exec $(PYTHON) tests/predict/sharing.py\n' > $@ && chmod +x $@
TESTS += $(PREDICT_TEST_DIR)/sharing

# A trace from hits is that of a recording of the same run.
PREDICT_HITS := sor pipeline fine producer forkjoin convoy readwrite urgent work
$(PREDICT_TEST_DIR)/hits: tests/predict/hits.py tests/predict/rules.mk | $(B)/earshot $(PREDICT_HITS:%=$(B)/tests/threads/%.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nCROSS=$(CROSS) EARSHOT_BUILD=$(B) exec $(PYTHON) tests/predict/hits.py\n' > $@ && chmod +x $@
TESTS += $(PREDICT_TEST_DIR)/hits

# Coverage-guided fuzzing of the reader of hits.
PREDICT_FUZZ_HITS := host/predict/hits.c host/net/formats/trace_json.c $(addprefix host/base/,arena.c error.c text.c)
$(PREDICT_TEST_DIR)/fuzz_hits: tests/predict/fuzz_hits.c $(PREDICT_FUZZ_HITS)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost $(HOST_CFLAGS) -I$(B)/gen $^ -o $@ -lm
fuzz-predict-hits: $(PREDICT_TEST_DIR)/fuzz_hits
	mkdir -p $(PREDICT_TEST_DIR)/corpus-hits
	$< $(FUZZ_LIMIT) -max_len=4096 -artifact_prefix=$(PREDICT_TEST_DIR)/ $(PREDICT_TEST_DIR)/corpus-hits
.PHONY: fuzz-predict-hits
FUZZ += predict predict-hits
fuzzers: $(addprefix $(PREDICT_TEST_DIR)/,fuzz_trace fuzz_hits)
