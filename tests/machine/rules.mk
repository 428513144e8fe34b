# Tests of host/machine.

MACHINE_DIR := $(B)/tests/machine

# Against the reference target's retire port: programs of all levels of optimisation, with all instructions and with few.
MACHINE_MADE := $(foreach program,workload torture,$(foreach opt,O0 Og O2 Os,$(foreach arch,rv32i_zicsr rv32imc_zicsr_zifencei,$(program)-$(opt)-$(arch))))
MACHINE_PROGRAMS := $(MACHINE_MADE:%=$(MACHINE_DIR)/%.elf) $(EXAMPLES_ELF)
MACHINE_SOURCE_workload := tests/cores/workload.c
MACHINE_SOURCE_torture := tests/cpu/programs/torture.c
define MACHINE_PROGRAM_RULE
$(MACHINE_DIR)/$(1).elf: $(MACHINE_SOURCE_$(word 1,$(subst -, ,$(1)))) tests/machine/rules.mk $(EXAMPLES_SUPPORT)
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	CROSS=$(CROSS) scripts/target-cc -$(word 2,$(subst -, ,$(1))) -march=$(word 3,$(subst -, ,$(1))) -w -DON_TARGET -DROUNDS=4 \
	  -Itests/cores -Itests/cpu/programs $$< -o $$@
endef
$(foreach program,$(MACHINE_MADE),$(eval $(call MACHINE_PROGRAM_RULE,$(program))))

$(MACHINE_DIR)/run_retired: tests/machine/retire.c tests/machine/rules.mk $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c,$^) -o $@ $(SIM_LIBS)
$(MACHINE_DIR)/retire: $(MACHINE_DIR)/run_retired $(MACHINE_PROGRAMS) tests/machine/rules.mk
	$(call say,GEN,$@)
	printf '#!/bin/sh\nexec $(MACHINE_DIR)/run_retired $(MACHINE_PROGRAMS)\n' > $@ && chmod +x $@
TESTS += $(MACHINE_DIR)/retire
# ... and that of the target whose data are big endian
$(MACHINE_DIR)/big/run_retired: tests/machine/retire.c tests/machine/rules.mk $(CORE_reference-data-big_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c %.o,$^) -o $@ $(SIM_LIBS)
MACHINE_BIG_PROGRAMS := $(foreach name,corners orders,$(foreach level,O0 O2,$(B)/tests/replay/big/$(name)-$(level).elf)) \
  $(addprefix $(B)/cores/examples/big-endian/,$(EXAMPLES_NAMES))
$(MACHINE_DIR)/retire_big: $(MACHINE_DIR)/big/run_retired $(MACHINE_BIG_PROGRAMS) tests/machine/rules.mk
	$(call say,GEN,$@)
	printf '#!/bin/sh\nexec $(MACHINE_DIR)/big/run_retired $(MACHINE_BIG_PROGRAMS)\n' > $@ && chmod +x $@
TESTS += $(MACHINE_DIR)/retire_big

# Against the model of es_cpu's tests.
$(MACHINE_DIR)/model: tests/machine/model.c tests/support/draw.h tests/machine/rules.mk $(CPU_MODEL) $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.o %.a,$^) -o $@ $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/model

# Both engines, snapshots, and what is unknown.
$(MACHINE_DIR)/random: tests/machine/random.c tests/support/draw.h tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.a,$^) -o $@ $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/random

$(MACHINE_DIR)/machine: tests/machine/test_machine.c tests/support/check_main.h tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/machine

# Against qemu: what es_cpu does not have.
$(MACHINE_DIR)/run_linux: tests/machine/run_linux.c tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c %.a,$^) -o $@ $(HOST_LIBS) -lm
$(MACHINE_DIR)/qemu: tests/machine/rules.mk tests/machine/frames.c | $(MACHINE_DIR)/run_linux
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/machine/qemu.py\n' > $@ && chmod +x $@
TESTS += $(MACHINE_DIR)/qemu

# Pushes, pops and table jumps (Zcmp, Zcmt): each against what it stands for.
$(MACHINE_DIR)/several: tests/machine/test_several.c tests/support/check_main.h tests/support/draw.h tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/several

# Data that are big endian: bytes and numbers, instruction by instruction.
$(MACHINE_DIR)/orders: tests/machine/test_orders.c tests/support/check_main.h tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/orders

# What instructions of floating point compute with.
$(MACHINE_DIR)/operands: tests/machine/test_operands.c tests/support/check_main.h tests/support/draw.h tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(MACHINE_DIR)/operands

# How fast it is by instruction set: the same program compiled for each.
MACHINE_BENCH := rv32i rv32im rv32imc rv32imac rv32imc_zba_zbb_zbs big-endian
MACHINE_BENCH_FLAGS_big-endian := -march=rv32im_zicsr -mbig-endian
$(foreach arch,$(filter rv32%,$(MACHINE_BENCH)),$(eval MACHINE_BENCH_FLAGS_$(arch) := -march=$(arch)_zicsr))
MACHINE_BENCH_ELF := $(MACHINE_BENCH:%=$(MACHINE_DIR)/bench-%.elf)
$(MACHINE_BENCH_ELF): $(MACHINE_DIR)/bench-%.elf: tests/cores/workload.c tests/cores/say.h tests/machine/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O2 $(MACHINE_BENCH_FLAGS_$*) -DON_TARGET -DROUNDS=1000 -Itests/cores $< -o $@
$(MACHINE_DIR)/bench: tests/machine/bench.c tests/machine/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c %.a,$^) -o $@ $(HOST_LIBS) -lm
bench-machine: $(MACHINE_DIR)/bench $(MACHINE_BENCH_ELF)
	$< $(foreach arch,$(MACHINE_BENCH),$(arch)=$(MACHINE_DIR)/bench-$(arch).elf)
BENCH += bench-machine
.PHONY: bench-machine
