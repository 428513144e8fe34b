# End to end: the whole product on programs, against the oracle. What stands in the build folder only starts the Python programs.

E2E_DIR := $(B)/tests/e2e
E2E_BOARD_ELF := $(addprefix $(E2E_DIR)/board/,thermostat-O0.elf thermostat-Og.elf recursion-O2.elf)
# tests/oracle/rules.mk, which names the oracle's program, is read later
E2E_BOARD := $(E2E_DIR)/over-board
E2E_NEEDS := $(B)/virtual-probe $(E2E_BOARD) $(E2E_DIR)/over-recorder $(E2E_BOARD_ELF) $(E2E_DIR)/board/flood.elf $(E2E_DIR)/board/endless.elf $(E2E_DIR)/doubts.elf $(B)/earshot $(B)/tests/oracle/retire-log $(EXAMPLES_ELF)
E2E_oracle-compare := tests/e2e/compare.py
E2E_truth := tests/e2e/truth.py
E2E_streams := tests/e2e/streams.py
E2E_losses := tests/e2e/losses.py
E2E_doubts := tests/e2e/doubts.py
E2E_icebreaker := tests/e2e/board.py
E2E_sram := tests/e2e/sram.py
E2E_recorder-alone := tests/e2e/recorder_alone.py
E2E_paper := tests/e2e/paper.py
E2E_many-paths := tests/e2e/many_paths.py
E2E_assigned := tests/e2e/assigned.py
E2E_restart := tests/e2e/restart.py
E2E_late := tests/e2e/late.py
E2E_lasting := tests/e2e/lasting.py
E2E_native := tests/e2e/native.py
E2E_compressed := tests/e2e/compressed.py
E2E_replayed := tests/e2e/replayed.py
E2E_statistics := tests/e2e/statistics.py
E2E_cover := tests/e2e/cover.py
E2E_heap := tests/e2e/heap.py
E2E_stacks := tests/e2e/stacks.py
E2E_task-ends := tests/e2e/task_ends.py
E2E_byte-order := tests/e2e/byte_order.py
E2E_start-up := tests/e2e/start_up.py
E2E_inlined-copies := tests/e2e/copies.py
E2E_TESTS := $(addprefix $(E2E_DIR)/,assigned oracle-compare truth streams losses doubts paper many-paths restart start-up inlined-copies late lasting native compressed replayed statistics cover heap stacks task-ends byte-order icebreaker sram recorder-alone)

$(E2E_TESTS): $(E2E_DIR)/%: tests/e2e/rules.mk | $(E2E_NEEDS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) $(E2E_$*)\n' > $@ && chmod +x $@
TESTS += $(E2E_TESTS)

# earshot and a board's serial line in one process.
$(E2E_DIR)/over_board.o: $(E2E_DIR)/%.o: tests/e2e/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(HOST_CFLAGS) -c $< -o $@
-include $(E2E_DIR)/over_board.d
$(E2E_BOARD): $(E2E_DIR)/over_board.o $(CLI_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) -Wl,--wrap=main $(filter %.o,$^) -o $@ $(SIM_LIBS) $(CLI_LIBS)

# ... and such a board with the recorder in the monitor's place
$(E2E_DIR)/over-recorder: $(E2E_DIR)/over_board.o $(CLI_OBJ) $(SIM_RECORDER_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) -Wl,--wrap=main $(filter %.o,$^) -o $@ $(SIM_LIBS) $(CLI_LIBS)

# Programs for a target of 64 KiB, on boards whose probes and narrow buses know no compressed instructions
E2E_SMALL := CROSS=$(CROSS) scripts/target-cc -march=rv32i_zicsr -Wl,--defsym=__target_size=0x10000
$(E2E_BOARD_ELF): $(EXAMPLES_SUPPORT) tests/e2e/rules.mk $(wildcard examples/thermostat/*.[ch] examples/recursion/*.[ch])
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(E2E_SMALL) -$(lastword $(subst -, ,$(basename $(@F)))) $(wildcard examples/$(firstword $(subst -, ,$(@F)))/*.c) -o $@

$(E2E_DIR)/board/flood.elf: $(EXAMPLES_SUPPORT) tests/e2e/flood.c
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(E2E_SMALL) -O1 tests/e2e/flood.c -o $@

$(E2E_DIR)/board/endless.elf: $(EXAMPLES_SUPPORT) tests/e2e/endless.c
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(E2E_SMALL) -O1 tests/e2e/endless.c -o $@

$(E2E_DIR)/doubts.elf: tests/e2e/doubts.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O0 -Wall -Wextra $< -o $@

# A million hits: the same ones on the probe and on the replay. From EARSHOT_SEED on.
REPLAYED_SOAK ?= 1000000
soak-replayed: $(E2E_NEEDS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/e2e/replayed.py --hits $(REPLAYED_SOAK)
.PHONY: soak-replayed
soak: soak-replayed

# More generated programs: SOAK of them from EARSHOT_SEED on, and half as many of each other sort (SORTS in compare.py); or the one
# with SEED, of the sort SORT.
SOAK ?= 2000
soak: $(E2E_NEEDS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/e2e/compare.py $(if $(SEED),$(if $(SORT),--$(SORT)-seed,--seed) $(SEED),--soak $(SOAK))
