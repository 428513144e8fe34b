# Lost events inferred: the check against a naive one, the methods against what was lost, the command.

INFER_TEST_DIR := $(B)/tests/infer
$(INFER_TEST_DIR)/%.o: tests/infer/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support -c $< -o $@
$(INFER_TEST_DIR)/test_check $(INFER_TEST_DIR)/test_exclusive $(INFER_TEST_DIR)/test_unlearn: %: %.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
$(INFER_TEST_DIR)/compound_states: $(INFER_TEST_DIR)/compound_states.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(INFER_TEST_DIR)/compound: tests/infer/rules.mk $(INFER_TEST_DIR)/compound_states | $(B)/earshot $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/compound.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/bench: $(INFER_TEST_DIR)/bench.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(INFER_TEST_DIR)/truth: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/truth.py "$$@"\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/exclusive: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/exclusive.py "$$@"\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/calls: tests/infer/rules.mk | $(B)/earshot $(foreach p,thermostat recursion interrupts,$(B)/examples/$p-O0.elf) \
  $(B)/examples/thermostat-O2.elf $(B)/examples/nested-Og.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/calls.py "$$@"\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/paths: tests/infer/rules.mk | $(B)/earshot $(foreach p,thermostat-O0 thermostat-O2 interrupts-O0 nested-Og nested-O0 recursion-O0,$(B)/examples/$p.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/paths.py "$$@"\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/ready: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/ready.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/kernel_losses: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/kernel_losses.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/net: tests/infer/rules.mk | $(B)/earshot $(foreach p,pipeline ring workers,$(B)/mp/$p-2.elf)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/net.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/command: tests/infer/rules.mk | $(B)/earshot $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/command.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/paper: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/paper.py\n' > $@ && chmod +x $@
$(INFER_TEST_DIR)/certain: tests/infer/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/infer/certain.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(addprefix $(INFER_TEST_DIR)/,test_check test_exclusive test_unlearn truth certain exclusive calls paths ready kernel_losses compound net command paper)
-include $(wildcard $(INFER_TEST_DIR)/*.d)

# More machines; with WRITE=1 the table of docs/infer.md is made again.
soak-infer: $(INFER_TEST_DIR)/truth $(INFER_TEST_DIR)/calls $(INFER_TEST_DIR)/exclusive $(INFER_TEST_DIR)/paths
	$< $(if $(WRITE),--write,--soak)
	$(INFER_TEST_DIR)/exclusive $(if $(WRITE),--write,--soak)
	$(INFER_TEST_DIR)/calls $(if $(WRITE),--write,--soak)
	$(INFER_TEST_DIR)/paths $(if $(WRITE),--write,--soak)
soak: soak-infer

# Coverage-guided fuzzing of the readers of machines, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
INFER_FUZZ_SRC := $(addprefix host/infer/,words.c machine.c condition.c stack.c parse.c parse_machine.c xml.c xml_condition.c xml_events.c) host/net/formats/pnml_tree.c \
  $(addprefix host/base/,arena.c error.c text.c)
$(INFER_TEST_DIR)/fuzz_machine: tests/infer/fuzz_machine.c $(INFER_FUZZ_SRC)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost $(HOST_CFLAGS) $^ -o $@ $(shell pkg-config --libs libxml-2.0) -lm
$(INFER_TEST_DIR)/fuzz_list: tests/infer/fuzz_list.c $(filter-out $(addprefix host/infer/,program.c compound.c net.c),$(wildcard host/infer/*.c)) host/net/formats/pnml_tree.c \
  $(addprefix host/base/,arena.c error.c text.c)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost $(HOST_CFLAGS) $^ -o $@ $(shell pkg-config --libs libxml-2.0 jansson) -lm
fuzz-infer: $(INFER_TEST_DIR)/fuzz_machine $(INFER_TEST_DIR)/fuzz_list
	mkdir -p $(INFER_TEST_DIR)/corpus $(INFER_TEST_DIR)/corpus-list
	$(INFER_TEST_DIR)/fuzz_list $(FUZZ_LIMIT) -max_len=2048 -artifact_prefix=$(INFER_TEST_DIR)/ $(INFER_TEST_DIR)/corpus-list tests/infer/seeds_list
	$< $(FUZZ_LIMIT) -max_len=4096 -dict=tests/infer/machine.dict -artifact_prefix=$(INFER_TEST_DIR)/ $(INFER_TEST_DIR)/corpus tests/infer/seeds

bench-infer: $(INFER_TEST_DIR)/bench | $(B)/earshot
	$<
	EARSHOT_BUILD=$(B) $(PYTHON) tests/infer/overhead.py
BENCH += bench-infer
.PHONY: soak-infer fuzz-infer bench-infer
FUZZ += infer
fuzzers: $(addprefix $(INFER_TEST_DIR)/,fuzz_machine fuzz_list)
