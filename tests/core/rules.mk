# The iCE40's cells, as yosys simulates them
CELLS_SIM := $(abspath $(dir $(realpath $(shell command -v yosys)))../share/yosys/ice40/cells_sim.v)
CELLS_DEVICE := tests/core/ice40_cells.vlt -DES_ICE40 -DNO_ICE40_DEFAULT_ASSIGNMENTS $(CELLS_SIM)

# The core against the model: one program per parameter set, of the files in CORE_BENCH. A set: taps, FIFO log2, hit queue log2,
# window base, window log2, time bits, address bits, data bits, big endian, SPRAM, capture queue, transactions, taps that are one (else 1), SWEEP (else 16), compressed code, the recorder with a buffer of 2^this bytes (else none).
CORE_SETS := wide narrow pair single trio retire halves record records board
CORE_SET_wide   := 1 8 2 0 14 32 32 32 0 0 4 800000
CORE_SET_narrow := 1 6 1 0 16 16 16 8 0 1 2 800000
CORE_SET_pair   := 2 5 2 65536 12 8 24 16 1 0 4 800000
CORE_SET_single := 1 5 1 4096 10 8 20 16 0 1 4 800000
CORE_SET_trio   := 3 6 3 2147483648 12 12 32 32 1 0 4 800000 1 1
# two cores with three transactions each in a clock, as after es_tap_rvfi
CORE_SET_retire := 6 7 3 0 14 32 32 32 0 0 4 400000 3
# two cores with instructions of 16 bits
CORE_SET_halves := 2 7 2 4096 12 24 28 32 0 0 4 600000 1 16 1
# the recorder: with instructions of 16 bits, and beside SPRAM
CORE_SET_record := 1 8 2 4096 12 20 28 32 0 0 4 400000 1 16 1 10
CORE_SET_records := 1 6 2 0 12 32 32 32 0 1 4 400000 1 16 0 9
# as on the iCEBreaker, and with the device's cells: what X they give is 1 here
CORE_SET_board  := 1 8 1 0 16 28 16 8 0 1 2 200000
CORE_RTL_board   = --x-assign 1 $(CELLS_DEVICE)
core_arg = $(word $(2),$(CORE_SET_$(1)))

CORE_BENCH_RTL := tests/core/es_core_bench.v tests/core/standins/es_cpu.v tests/core/standins/es_link.v
CORE_VINCLUDE := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
CORE_CXX := $(shell command -v ccache) $(CXX)
CORE_CXXFLAGS := -std=c++17 -O2 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -isystem $(CORE_VINCLUDE) -isystem $(CORE_VINCLUDE)/vltstd
CORE_BENCH := bench bench_clocks bench_traffic bench_compare bench_record bench_resets bench_units
CORE_OBJ := $(B)/tests/core/model.o $(B)/tests/core/recorder_model.o $(B)/tests/core/verilated.o $(B)/tests/core/verilated_threads.o

$(B)/tests/core/model.o $(B)/tests/core/recorder_model.o: $(B)/tests/core/%.o: tests/core/%.c $(wildcard tests/core/*model.h) $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(B)/tests/core/verilated.o $(B)/tests/core/verilated_threads.o: $(B)/tests/core/%.o: $(CORE_VINCLUDE)/%.cpp
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(CORE_CXX) $(CORE_CXXFLAGS) -c $< -o $@

define CORE_SET_RULES
$(B)/tests/core/$(1)/all.cpp: $$(CORE_BENCH_RTL) $$(CORE_RTL) $$(TAP_RTL) $$(TAP_SHARED_RTL) $(B)/gen/probe_defs.vh tests/core/rules.mk
	$$(call say,VERILOG,$$@)
	rm -rf $$(@D) && mkdir -p $$(@D)
	$$(VERILATOR) --cc -O3 --x-assign fast --x-initial fast --noassert $$(VFLAGS) --prefix Vbench --Mdir $$(@D) \
	  --output-split 0 --top-module es_core_bench \
	  -GTAPS=$(call core_arg,$(1),1) -GFIFO_LOG2=$(call core_arg,$(1),2) -GHITQ_LOG2=$(call core_arg,$(1),3) \
	  -GWINDOW_BASE=$(call core_arg,$(1),4) -GWINDOW_LOG2=$(call core_arg,$(1),5) -GTIME_W=$(call core_arg,$(1),6) \
	  -GADDR_W=$(call core_arg,$(1),7) -GDATA_W=$(call core_arg,$(1),8) -GBIG_ENDIAN=$(call core_arg,$(1),9) \
	  -GSPRAM=$(call core_arg,$(1),10) -GCAPTURE_QUEUE=$(call core_arg,$(1),11) -GPER_TAP=$(or $(call core_arg,$(1),13),1) \
	  -GSWEEP=$(or $(call core_arg,$(1),14),16) -GCOMPRESSED=$(or $(call core_arg,$(1),15),0) \
	  -GRECORDER=$(if $(call core_arg,$(1),16),1,0) -GRECORD_LOG2=$(or $(call core_arg,$(1),16),9) \
	  $$(CORE_RTL_$(1)) $$(CORE_BENCH_RTL) $$(CORE_RTL) $$(TAP_RTL) $$(TAP_SHARED_RTL)
	for f in $$(@D)/Vbench*.cpp; do echo "#include \"$$$${f##*/}\""; done > $$@
$(B)/tests/core/$(1)/model.o: $(B)/tests/core/$(1)/all.cpp
	$$(call say,CXX,$$<)
	$$(CORE_CXX) $$(CORE_CXXFLAGS) -I$$(@D) -c $$< -o $$@
$(CORE_BENCH:%=$(B)/tests/core/$(1)/%.o): $(B)/tests/core/$(1)/%.o: tests/core/%.cpp $(B)/tests/core/$(1)/all.cpp $(B)/gen/probe_defs.h
	$$(call say,CXX,$$<)
	$$(CORE_CXX) $$(CORE_CXXFLAGS) -Wall -Wextra -Werror -MMD -MP -isystem $$(@D) -Itests/core -I$(B)/gen \
	  -DP_TAPS=$(call core_arg,$(1),1) -DP_FIFO_LOG2=$(call core_arg,$(1),2) -DP_WINDOW_BASE=$(call core_arg,$(1),4)u \
	  -DP_WINDOW_LOG2=$(call core_arg,$(1),5) -DP_TIME_W=$(call core_arg,$(1),6) -DP_ADDR_W=$(call core_arg,$(1),7) \
	  -DP_DATA_W=$(call core_arg,$(1),8) -DP_BIG_ENDIAN=$(call core_arg,$(1),9) -DP_SPRAM=$(call core_arg,$(1),10) \
	  -DP_QUEUE=$(call core_arg,$(1),11) -DP_TRANSACTIONS=$(call core_arg,$(1),12) \
	  -DP_PER_TAP=$(or $(call core_arg,$(1),13),1) -DP_COMPRESSED=$(or $(call core_arg,$(1),15),0) \
	  -DP_RECORDER=$(if $(call core_arg,$(1),16),1,0) -DP_RECORD_LOG2=$(or $(call core_arg,$(1),16),9) -c $$< -o $$@
$(B)/tests/core/core_$(1): $(CORE_BENCH:%=$(B)/tests/core/$(1)/%.o) $(B)/tests/core/$(1)/model.o $$(CORE_OBJ)
	$$(call say,LD,$$@)
	$$(CXX) $$(SAN) -o $$@ $$^ -lpthread
TESTS += $(B)/tests/core/core_$(1)
endef
$(foreach set,$(CORE_SETS),$(eval $(call CORE_SET_RULES,$(set))))
-include $(wildcard $(B)/tests/core/*/bench*.d)

# Block RAM and SPRAM as they are built for the iCE40, with yosys's simulation of the device's cells, and the models that stand
# for them in simulation: both against plain arrays, in one program.
CELLS_RTL := tests/core/es_cells_bench.v rtl/core/es_bits.v rtl/core/es_spram.v rtl/core/es_ram.v
CELLS_VERILATE := $(VERILATOR) --cc -O3 --x-assign unique --x-initial unique $(VFLAGS) --output-split 0 --top-module es_cells_bench
$(B)/tests/core/cells_device/all.cpp: CELLS_RTL_MORE := $(CELLS_DEVICE)
$(B)/tests/core/cells_%/all.cpp: $(CELLS_RTL) $(CELLS_SIM) tests/core/ice40_cells.vlt tests/core/rules.mk
	$(call say,VERILOG,$@)
	rm -rf $(@D) && mkdir -p $(@D)
	$(CELLS_VERILATE) --prefix V$* --Mdir $(@D) $(CELLS_RTL_MORE) $(CELLS_RTL)
	for f in $(@D)/V$**.cpp; do echo "#include \"$${f##*/}\""; done > $@
$(B)/tests/core/cells_%.o: $(B)/tests/core/cells_%/all.cpp
	$(call say,CXX,$<)
	$(CORE_CXX) $(CORE_CXXFLAGS) -I$(<D) -c $< -o $@
$(B)/tests/core/cells_bench.o: tests/core/cells_bench.cpp $(B)/tests/core/cells_device/all.cpp $(B)/tests/core/cells_model/all.cpp
	$(call say,CXX,$<)
	$(CORE_CXX) $(CORE_CXXFLAGS) -Wall -Wextra -Werror -isystem $(B)/tests/core/cells_device -isystem $(B)/tests/core/cells_model -c $< -o $@
$(B)/tests/core/cells: $(addprefix $(B)/tests/core/,cells_bench.o cells_device.o cells_model.o verilated.o verilated_threads.o)
	$(call say,LD,$@)
	$(CXX) $(SAN) -o $@ $^ -lpthread
TESTS += $(B)/tests/core/cells

# Proofs: see formal/prove
$(B)/tests/core/proofs: tests/core/formal/prove tests/support/prove.sh $(wildcard tests/core/formal/*.v) $(CORE_RTL) $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec tests/core/formal/prove $(B)/tests/core/formal $(B)/gen\n' > $@ && chmod +x $@
TESTS += $(B)/tests/core/proofs
