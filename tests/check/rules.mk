# The proof that the probe keeps up: worst cases and backlogs.
CHECK_TEST_INC := -Itests/check -Itests/support -Itests/cpu
CHECK_TEST_BASE := host/base/arena.c host/base/error.c $(wildcard host/isa/*.c host/isa/*/*.c)
CHECK_TEST_LIBS := $(shell pkg-config --libs check)

$(B)/tests/check/test_machine: tests/check/test_machine.c host/check/firmware/machine.c host/check/firmware/machine.h host/check/firmware/machine_state.c \
  host/check/firmware/machine_state.h host/check/firmware/live.c host/check/firmware/live.h host/check/firmware/word.c host/check/firmware/word.h tests/cpu/rv32_model.c \
  tests/cpu/rv32c_model.c tests/cpu/rv32_model.h tests/cpu/rv32c_model.h $(CHECK_TEST_BASE) $(B)/gen/cpu_cycles.h $(B)/gen/rv32_defs.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(CHECK_TEST_INC) $(filter %.c,$^) -o $@ $(CHECK_TEST_LIBS)

$(B)/tests/check/test_backlog: tests/check/test_backlog.c host/check/queues/backlog.c host/check/queues/live.c \
  host/check/queues/ways.c host/check/queues/settle.c host/check/queues/backlog.h host/check/queues/search.h host/check/target/loops.c host/check/target/loops.h \
  host/check/queues/waiting.c host/check/queues/waiting.h host/check/target/program.h $(CHECK_TEST_BASE) $(B)/gen/cpu_cycles.h $(B)/gen/rv32_defs.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(CHECK_TEST_INC) $(filter %.c,$^) -o $@ $(CHECK_TEST_LIBS)

$(B)/tests/check/test_number: tests/check/test_number.c host/check/target/number.c host/check/target/number.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(CHECK_TEST_INC) $(filter %.c,$^) -o $@ $(CHECK_TEST_LIBS)

TESTS += $(B)/tests/check/test_machine $(B)/tests/check/test_backlog $(B)/tests/check/test_number

# With the simulation: programs and images as they are.
CHECK_TEST_SIM := $(B)/tests/check/test_program
# examples without compressed instructions
CHECK_PLAIN := $(addprefix $(B)/tests/check/plain/,thermostat-O2.elf recursion-O0.elf interrupts-O2.elf)
$(CHECK_TEST_SIM): $(B)/tests/check/%: $(B)/tests/check/%.o $(B)/libearshot-sim.a $(B)/libearshot.a $(EXAMPLES_ELF) $(CHECK_PLAIN)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $< -o $@ $(CHECK_TEST_LIBS) $(SIM_LIBS)
$(CHECK_PLAIN): $(B)/tests/check/plain/%.elf: $(EXAMPLES_SUPPORT) $(wildcard examples/*/*.[ch])
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32i_zicsr -$(lastword $(subst -, ,$*)) $(wildcard examples/$(firstword $(subst -, ,$*))/*.c) -o $@
$(B)/tests/check/%.o: tests/check/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(CHECK_TEST_INC) -DTESTS_BUILD='"$(B)"' -c $< -o $@
-include $(wildcard $(B)/tests/check/*.d)

TESTS += $(CHECK_TEST_SIM)

# The recorder's buffer, against the stream of the recorder in tests/replay.
$(B)/tests/check/test_recorder.o: CHECK_TEST_INC += -Itests/replay
$(B)/tests/check/test_recorder: $(B)/tests/check/test_recorder.o $(B)/tests/replay/encoder.o $(B)/libearshot-sim.a $(B)/libearshot.a $(EXAMPLES_ELF)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(CHECK_TEST_LIBS) $(SIM_LIBS)
TESTS += $(B)/tests/check/test_recorder

# Promises against runs: make test looks at some generated programs, make soak at many.
CHECK_BOUND := $(B)/tests/check/bound
$(CHECK_BOUND): $(B)/tests/check/bound.o $(B)/tests/check/observed.o \
  $(patsubst %.c,$(B)/%.o,$(wildcard tests/check/driven*.c)) $(B)/tests/firmware/model.o $(B)/tests/firmware/model_bus.o $(B)/tests/firmware/model_tracker.o $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
CHECK_SOUNDNESS := $(B)/tests/check/soundness
$(CHECK_SOUNDNESS): tests/check/rules.mk | $(CHECK_BOUND) $(EXAMPLES_ELF) $(CHECK_PLAIN)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/check/soundness.py\n' > $@ && chmod +x $@
TESTS += $(CHECK_SOUNDNESS)
soak-check: $(CHECK_SOUNDNESS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/check/soundness.py --seeds $(CHECK_SOAK)
CHECK_SOAK ?= 200
soak: soak-check
.PHONY: soak-check

CHECK_COMMAND := $(addprefix $(B)/tests/check/,command sides)
$(CHECK_COMMAND): $(B)/tests/check/%: tests/check/rules.mk | $(B)/earshot $(EXAMPLES_ELF) $(CHECK_PLAIN) $(B)/tests/e2e/board/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/check/$*.py\n' > $@ && chmod +x $@
TESTS += $(CHECK_COMMAND)
