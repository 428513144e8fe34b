# The link: lint of every module from its top, and the cost of es_link on the iCE40.

LINK_RTL := $(addprefix rtl/link/,es_link.v es_framer.v es_event_queue.v es_deframer.v es_loader.v es_crc16.v)
LINK_FT245_RTL := rtl/link/es_ft245.v rtl/core/es_fifo_async.v

lint-link: $(DEFS)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_link $(LINK_RTL)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_ft245 $(LINK_FT245_RTL)
	$(VERILATOR) --lint-only $(VFLAGS) --top-module es_uart rtl/link/es_uart.v
LINT += lint-link

# LUTs and block RAMs of es_link: `make area-link`
area-link: $(DEFS)
	yosys -q -p 'read_verilog -I$(B)/gen $(LINK_RTL); synth_ice40 -top es_link; tee -o /dev/stdout stat'

.PHONY: lint-link area-link
