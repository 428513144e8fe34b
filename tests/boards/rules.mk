# What is particular to boards: the clock-domain crossings of their netlists, and how their pins are sampled.
BOARDS_TEST := $(B)/tests/boards

BOARDS_ONCE := icebreaker ulx3s ulx3s-soc ulx3s-ft245 # each top once
BOARDS_TEST_FILES = $(foreach board,$(BOARDS_ONCE),BOARD_FILES_$(BOARD_$(board)_TOP)="$(sort $(call BOARDS_FILES,$(board)))")
$(BOARDS_TEST)/crossings: tests/boards/rules.mk rtl/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) $(BOARDS_TEST_FILES) exec $(PYTHON) tests/boards/crossings.py\n' > $@
	chmod +x $@
TESTS += $(BOARDS_TEST)/crossings

$(BOARDS_TEST)/pins: tests/boards/rules.mk rtl/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/boards/pins.py\n' > $@ && chmod +x $@
TESTS += $(BOARDS_TEST)/pins

# The SoC from pin to pin, with models of the device's cells and a program of its own.
SOC_BENCH_RTL = $(sort $(call BOARDS_FILES,ulx3s-soc)) tests/boards/ecp5_models.v
$(BOARDS_TEST)/soc.elf: tests/boards/soc.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32i_zicsr -Wl,--defsym=__target_size=0x10000 -O1 -Wall -Wextra $< -o $@
$(BOARDS_TEST)/soc: LINK_DEFINES = -DSOC_FIRST_WORDS=$$(sed -n '2{s/ *$$$$//;s/ /,0x/g;s/^/0x/;p}' $(BOARDS_TEST)/soc.hex | tr -d '\r')
$(BOARDS_TEST)/soc.hex: $(BOARDS_TEST)/soc.elf
	$(call say,HEX,$@)
	$(CROSS)objcopy -O verilog --verilog-data-width=4 $< $@
$(BOARDS_TEST)/soc: tests/boards/soc_bench.cpp tests/link/bench.h $(SOC_BENCH_RTL) $(BOARDS_TEST)/soc.hex $(B)/host/stream/frame.o $(DEFS)
	$(call say,VERILOG,$@)
	@$(call LINK_BENCH,ulx3s_soc,-O3 --x-assign fast --x-initial fast -GPROGRAM='"$(BOARDS_TEST)/soc.hex"',$(SOC_BENCH_RTL),$(B)/host/stream/frame.o)
TESTS += $(BOARDS_TEST)/soc
