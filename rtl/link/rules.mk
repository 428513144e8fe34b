# The link: lint of every module from its top, and the cost of es_link on the iCE40.

LINK_RTL := $(addprefix rtl/link/,es_link.v es_link_step.v es_framer.v es_event_queue.v es_deframer.v es_loader.v es_crc16.v)
LINK_FT245_RTL := rtl/link/es_ft245.v rtl/core/es_fifo_async.v rtl/core/es_sync.v
LINK_UART_RTL := rtl/link/es_uart.v rtl/core/es_sync.v

lint-link: $(DEFS)
	$(call say,LINT,link)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_link $(LINK_RTL)
	$(VERILATOR) --lint-only $(VFLAGS) -GRECORDER=1 --top-module es_link $(LINK_RTL)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_ft245 $(LINK_FT245_RTL)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_uart $(LINK_UART_RTL)
LINT += lint-link

# LUTs and block RAMs of es_link, and how fast it and es_ft245 are on the UP5K (tests/link/link_synth.v wraps them): `make synth-link`
synth-link: $(DEFS)
	$(call say,YOSYS,$@)
	@mkdir -p $(B)/rtl/link
	@yosys -q -p "read_verilog -I$(B)/gen $(LINK_RTL); synth_ice40 -top es_link; tee -o $(B)/rtl/link/stat stat; design -reset; \
	  read_verilog -I$(B)/gen $(LINK_RTL) $(LINK_FT245_RTL) tests/link/link_synth.v; \
	  synth_ice40 -top link_synth -json $(B)/rtl/link/synth.json" > $(B)/rtl/link/log 2>&1 || { cat $(B)/rtl/link/log; exit 1; }
	@awk '/SB_LUT4/ {lut = $$2} /SB_RAM/ {ram = $$2} END {printf "es_link: %d LUT4, %d BRAM\n", lut, ram}' $(B)/rtl/link/stat
	@nextpnr-ice40 --up5k --package sg48 --freq 60 --json $(B)/rtl/link/synth.json --pcf-allow-unconstrained 2>&1 \
	  | grep 'Max frequency' | tail -2 | sed 's/.*clock *.\([a-z_]*\).*: /\1: /; s/ (.*//'

.PHONY: lint-link synth-link
