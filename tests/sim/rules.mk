# Tests of the simulated worlds.
SIM_TEST_DIR := $(B)/tests/sim
SIM_TEST_PROGRAMS := $(addprefix $(SIM_TEST_DIR)/,devices.elf misuse.elf scatter.elf)

$(SIM_TEST_PROGRAMS): $(SIM_TEST_DIR)/%.elf: tests/sim/programs/%.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Og -Wall -Wextra -Werror $< -o $@

SIM_TEST_PARTS := 0 1 2 3 4 5 6 7 8 9
SIM_TEST_TALK := $(SIM_TEST_PARTS:%=$(SIM_TEST_DIR)/talk%.elf)
$(SIM_TEST_TALK): $(SIM_TEST_DIR)/talk%.elf: tests/sim/programs/talk.c examples/mp/mp.h $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Og -Wall -Wextra -Werror -DPART=$* -Iexamples/mp $< -o $@

$(SIM_TEST_DIR)/monitor.bin: tests/sim/programs/monitor.c $(B)/gen/probe_defs.h
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(CROSS)gcc -march=rv32i -mabi=ilp32 -O2 -Wall -Wextra -Werror -ffreestanding -nostdlib -I$(B)/gen -Wl,-Ttext=0,--build-id=none \
	  -Wl,--section-start=.text.start=0,-Ttext=0x40 $< -o $(@:.bin=.elf)
	$(CROSS)objcopy -O binary $(@:.bin=.elf) $@

$(SIM_TEST_DIR)/%.o: tests/sim/%.c $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -DTESTS_BUILD='"$(B)"' -c $< -o $@

SIM_TEST_EXE := $(addprefix $(SIM_TEST_DIR)/,target probe instructions tracker recorder)
$(SIM_TEST_EXE): $(SIM_TEST_DIR)/%: $(SIM_TEST_DIR)/%_test.o $(SIM_TEST_DIR)/world.o $(B)/libearshot-sim.a $(B)/libearshot.a \
  $(EXAMPLES_ELF) $(SIM_TEST_PROGRAMS) $(SIM_TEST_DIR)/monitor.bin
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
$(SIM_TEST_DIR)/multi: $(SIM_TEST_DIR)/multi_test.o $(B)/libearshot-sim.a $(B)/libearshot.a $(SIM_TEST_TALK)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
-include $(wildcard $(SIM_TEST_DIR)/*.d)

TESTS += $(SIM_TEST_EXE) $(SIM_TEST_DIR)/multi
$(SIM_TEST_DIR)/foreign-style: tests/sim/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/sim/foreign_style.py\n' > $@ && chmod +x $@
TESTS += $(SIM_TEST_DIR)/foreign-style
