# `make bitstream BOARD=icebreaker`: synthesis, place and route, bitstream, then what it takes against committed limits, and the
# proof on the netlist that no pin towards the target is driven. BOARDS_SEED picks the placement. (-device u: abc9 maps
# with this device's delays; with those of the default the probe's clock falls short.)
BOARD ?= icebreaker
BOARDS_SEED ?= 1
BOARDS_RTL = rtl/boards/$(BOARD).v rtl/boards/ice40_pads.v $(PROBE_RTL) $(TAP_RTL) rtl/link/es_uart.v
BOARDS_DIR := $(B)/boards

BOARDS_OUT := $(BOARDS_DIR)/$(BOARD)

$(BOARDS_OUT).json: $(DEFS) $(wildcard rtl/boards/*.v rtl/core/*.v rtl/cpu/*.v rtl/link/*.v rtl/tap/*.v)
	$(call say,YOSYS,$@)
	@mkdir -p $(@D)
	yosys -q -l $(BOARDS_OUT).synth.log \
	  -p 'read_verilog -DES_ICE40 -I$(B)/gen $(BOARDS_RTL); synth_ice40 -abc9 -device u -top $(BOARD) -json $@'
$(BOARDS_OUT).asc: $(BOARDS_OUT).json constraints/$(BOARD).pcf rtl/boards/$(BOARD).clocks.py
	$(call say,ROUTE,$@)
	nextpnr-ice40 --quiet --up5k --package sg48 --json $< --pcf constraints/$(BOARD).pcf \
	  --pre-pack rtl/boards/$(BOARD).clocks.py --seed $(BOARDS_SEED) --timing-allow-fail --asc $@ \
	  --report $(BOARDS_OUT).report.json --log $(BOARDS_OUT).route.log
$(BOARDS_OUT).bin: $(BOARDS_OUT).asc
	$(call say,PACK,$@)
	icepack $< $@
bitstream-$(BOARD): $(BOARDS_OUT).bin
	scripts/bitstream-check $(BOARDS_OUT).json $(BOARD) constraints/$(BOARD).tap
	scripts/bitstream-report $(BOARDS_OUT).report.json $(BOARDS_OUT).json $(BOARD) rtl/boards/$(BOARD).limits
.PHONY: bitstream-$(BOARD)

# Whether it is luck that the default placement meets the clocks: SEEDS of them. ESTIMATE=1 stops after placement.
SEEDS ?= 10
placements: $(BOARDS_OUT).json
	scripts/placements $(BOARD) $< $(SEEDS) $(if $(ESTIMATE),--estimate)
.PHONY: placements

# The device's primitives are black boxes to lint: only the board's own top and what it instantiates are checked.
LINT += lint-boards
.PHONY: lint-boards
lint-boards: $(DEFS)
	$(call say,LINT,boards)
	$(VERILATOR) --lint-only $(VFLAGS) -DES_ICE40 --top-module icebreaker rtl/boards/icebreaker.v rtl/boards/ice40_pads.v \
	  rtl/boards/ice40_blackbox.v \
	  $(PROBE_RTL) $(TAP_RTL) rtl/link/es_uart.v
