# Both taps against driven waveforms: all data widths and endiannesses in one model.
TAP_TEST_SRC := tests/tap/tap_bench.cpp tests/tap/es_tap_bench.v
$(B)/tests/tap/taps: $(TAP_TEST_SRC) $(TAP_RTL) $(TAP_SHARED_RTL) $(TAP_SYNC_RTL) $(B)/gen/probe_defs.vh tests/tap/rules.mk
	$(call say,VERILOG,$@)
	@mkdir -p $(@D)/obj
	$(VERILATOR) --cc --exe --build --x-initial unique $(VFLAGS) --prefix Vtap --top-module es_tap_bench --Mdir $(@D)/obj \
	  -CFLAGS "-std=c++17 -O1 -Wall -Wextra $(SAN)" -LDFLAGS "-g $(SAN)" tests/tap/es_tap_bench.v $(TAP_RTL) $(TAP_SHARED_RTL) $(TAP_SYNC_RTL) \
	  $(abspath tests/tap/tap_bench.cpp) -o $(abspath $@) > $(@D)/obj/log 2>&1 || { cat $(@D)/obj/log; false; }
TESTS += $(B)/tests/tap/taps

$(B)/tests/tap/marks: tests/tap/mark_bench.cpp rtl/tap/es_tap_mark.v $(B)/gen/probe_defs.vh $(B)/gen/probe_defs.h tests/tap/rules.mk
	$(call say,VERILOG,$@)
	@mkdir -p $(@D)/obj-marks
	$(VERILATOR) --cc --exe --build $(VFLAGS) -GADDR_W=24 --prefix Vmark --top-module es_tap_mark --Mdir $(@D)/obj-marks \
	  -CFLAGS "-std=c++17 -O1 -Wall -Wextra -I$(abspath $(B))/gen $(SAN)" -LDFLAGS "-g $(SAN)" rtl/tap/es_tap_mark.v \
	  $(abspath tests/tap/mark_bench.cpp) -o $(abspath $@) > $(@D)/obj-marks/log 2>&1 || { cat $(@D)/obj-marks/log; false; }
TESTS += $(B)/tests/tap/marks

# A retire port that tells two instructions in a clock
PAIR_RTL := tests/tap/es_pair_bench.v rtl/tap/es_tap_rvfi.v rtl/core/es_capture.v
$(B)/tests/tap/pairs: tests/tap/pair_bench.cpp $(PAIR_RTL) $(B)/gen/probe_defs.vh $(B)/gen/probe_defs.h tests/tap/rules.mk
	$(call say,VERILOG,$@)
	@mkdir -p $(@D)/obj-pairs
	$(VERILATOR) --cc --exe --build $(VFLAGS) --prefix Vpair --top-module es_pair_bench --Mdir $(@D)/obj-pairs \
	  -CFLAGS "-std=c++17 -O1 -Wall -Wextra -I$(abspath $(B))/gen $(SAN)" -LDFLAGS "-g $(SAN)" $(PAIR_RTL) \
	  $(abspath tests/tap/pair_bench.cpp) -o $(abspath $@) > $(@D)/obj-pairs/log 2>&1 || { cat $(@D)/obj-pairs/log; false; }
TESTS += $(B)/tests/tap/pairs

# Proofs: see formal/prove
$(B)/tests/tap/proofs: tests/tap/formal/prove tests/support/prove.sh $(wildcard tests/tap/formal/*.v) $(TAP_RTL) $(TAP_SHARED_RTL) rtl/tap/es_tap_mark.v \
  $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec tests/tap/formal/prove $(B)/tests/tap/formal $(B)/gen\n' > $@ && chmod +x $@
TESTS += $(B)/tests/tap/proofs

# What each tap takes: docs/taps.md has the table.
$(B)/tests/tap/sizes: tests/tap/rules.mk tests/tap/sizes.py | $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/tap/sizes.py $(B)/gen\n' > $@ && chmod +x $@
TESTS += $(B)/tests/tap/sizes

# The taps between bus models of others, from PyPI: cosim.py
$(B)/tests/tap/cosim: tests/tap/rules.mk tests/tap/cosim.py $(wildcard tests/tap/cosim/*) | $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/tap/cosim.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/tap/cosim

# The timing diagrams of docs/taps.md; $(B)/tests/tap/waves --print writes them.
$(B)/tests/tap/waves: tests/tap/waves.cpp tests/tap/es_tap_waves.v $(TAP_RTL) $(TAP_SHARED_RTL) $(B)/gen/probe_defs.vh tests/tap/rules.mk
	$(call say,VERILOG,$@)
	@mkdir -p $(@D)/obj-waves
	$(VERILATOR) --cc --exe --build $(VFLAGS) --prefix Vwaves --top-module es_tap_waves --Mdir $(@D)/obj-waves \
	  -CFLAGS "-std=c++17 -O1 -Wall -Wextra $(SAN)" -LDFLAGS "-g $(SAN)" tests/tap/es_tap_waves.v $(TAP_RTL) $(TAP_SHARED_RTL) $(TAP_SYNC_RTL) \
	  $(abspath tests/tap/waves.cpp) -o $(abspath $@) > $(@D)/obj-waves/log 2>&1 || { cat $(@D)/obj-waves/log; false; }
TESTS += $(B)/tests/tap/waves
