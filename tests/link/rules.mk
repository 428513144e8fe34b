# Tests of rtl/link: modules in Verilator against the host's codec and against models of what the pins lead to.

LINK_TEST_DIR := $(B)/tests/link
LINK_VERILATE = $(VERILATOR) --cc --exe --build -j 1 --assert $(VFLAGS) -MAKEFLAGS "CXX='$(strip $(shell command -v ccache) $(CXX))'" --Mdir $@.d \
  -CFLAGS "-std=c++17 -O1 -Wall -Wextra -Werror $(LINK_DEFINES) $(foreach d,host $(B)/gen tests/link,-I$(abspath $(d)))"
# $(call LINK_BENCH,module,parameters,RTL,other objects): builds $@ from $<; what the tools say is shown only when they fail
LINK_BENCH = mkdir -p $(@D) && { $(LINK_VERILATE) --prefix V$(1) --top-module $(1) $(2) $(3) $(CURDIR)/$< $(abspath $(4)) \
  $(if $(SAN),-LDFLAGS "$(SAN)") -o ../$(@F) > $@.log 2>&1 || { cat $@.log; exit 1; }; }

$(LINK_TEST_DIR)/link: tests/link/link_bench.cpp tests/link/bench.h $(LINK_RTL) $(B)/host/stream/frame.o $(DEFS)
	$(call say,VERILOG,$@)
	@$(call LINK_BENCH,es_link,,$(LINK_RTL),$(B)/host/stream/frame.o)

$(LINK_TEST_DIR)/ft245: tests/link/ft245_bench.cpp tests/link/bench.h $(LINK_FT245_RTL) $(DEFS)
	$(call say,VERILOG,$@)
	@$(call LINK_BENCH,es_ft245,,$(LINK_FT245_RTL))

$(LINK_TEST_DIR)/uart: LINK_DEFINES := -DUART_CLK_HZ=12000000 -DUART_BAUD=921600
$(LINK_TEST_DIR)/uart: tests/link/uart_bench.cpp tests/link/bench.h $(LINK_UART_RTL) $(DEFS)
	$(call say,VERILOG,$@)
	@$(call LINK_BENCH,es_uart,-GCLK_HZ=12000000 -GBAUD=921600,$(LINK_UART_RTL))

TESTS += $(addprefix $(LINK_TEST_DIR)/,link ft245 uart)

# The event queue's properties, for so many clocks from reset: enough to fill and empty its four places and to drop frames between.
LINK_FORMAL_DEPTH ?= 13
LINK_FORMAL := $(LINK_TEST_DIR)/event_queue0.aig $(LINK_TEST_DIR)/event_queue1.aig
$(LINK_FORMAL): $(LINK_TEST_DIR)/event_queue%.aig: tests/link/formal/event_queue.v rtl/link/es_event_queue.v $(DEFS)
	$(call say,YOSYS,$@)
	@mkdir -p $(@D)
	yosys -q -p "read_verilog -formal -I$(B)/gen $(filter %.v,$^); chparam -set REACH $* event_queue_formal; \
	  prep -flatten -top event_queue_formal; memory_map; async2sync; setundef -undriven -anyseq; opt -full; techmap; opt -fast; \
	  dffunmap; simplemap; abc -g AND -fast; opt_clean; write_aiger -zinit -I -B $@"
$(LINK_TEST_DIR)/event-queue-proof: tests/link/rules.mk $(LINK_FORMAL)
	$(call say,GEN,$@)
	printf '#!/bin/sh\nexec tests/link/prove $(LINK_FORMAL) $(LINK_FORMAL_DEPTH)\n' > $@ && chmod +x $@
TESTS += $(LINK_TEST_DIR)/event-queue-proof

# Proofs: see formal/prove
$(LINK_TEST_DIR)/proofs: tests/link/formal/prove tests/support/prove.sh $(wildcard tests/link/formal/*.v) $(LINK_RTL) rtl/link/es_uart.v \
  rtl/link/es_ft245.v $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec tests/link/formal/prove $(B)/tests/link/formal $(B)/gen\n' > $@ && chmod +x $@
TESTS += $(LINK_TEST_DIR)/proofs
