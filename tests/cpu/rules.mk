# es_cpu against the model, with each of its parameters and without.
CPU_TEST_SRC := tests/cpu/cpu_test.cpp tests/cpu/cpu_bench.cpp
CPU_TEST_DEP := $(CPU_TEST_SRC) tests/cpu/cpu_bench.hpp tests/cpu/rv32_model.h tests/cpu/rv32c_model.h interface/cpu_cycles.def
# name: parameters
CPU_traps0 := TRAPS=0 COMPRESSED=0 MULDIV=0
CPU_traps1 := TRAPS=1 COMPRESSED=0 MULDIV=0
CPU_compressed := TRAPS=0 COMPRESSED=1 MULDIV=0
CPU_muldiv := TRAPS=0 COMPRESSED=0 MULDIV=1
CPU_late := TRAPS=0 COMPRESSED=0 MULDIV=0 LATE=1
CPU_target := TRAPS=1 COMPRESSED=1 MULDIV=1
CPU_VARIANTS := traps0 traps1 compressed muldiv late target
# those that are proved: the others have less
CPU_PROVED := traps0 traps1 late target
CPU_TESTS := $(CPU_VARIANTS:%=$(B)/tests/cpu/%)
CPU_MODEL := $(B)/tests/cpu/rv32_model.o $(B)/tests/cpu/rv32c_model.o

TESTS += $(CPU_TESTS)

$(CPU_MODEL): $(B)/tests/cpu/%.o: tests/cpu/%.c tests/cpu/rv32_model.h tests/cpu/rv32c_model.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

$(CPU_TESTS): $(B)/tests/cpu/%: $(CPU_RTL) $(CPU_TEST_DEP) $(CPU_MODEL)
	$(call say,VERILOG,$@)
	@mkdir -p $(@D)/obj-$*
	$(VERILATOR) --cc --exe --build -O3 --x-initial unique -DRISCV_FORMAL $(CPU_$*:%=-G%) -GRESET_PC=256 --prefix Vcpu \
	  --top-module es_cpu --Mdir $(@D)/obj-$* -LDFLAGS "-g $(SAN)" \
	  -CFLAGS "-std=c++17 -O2 -Wall -Wextra $(CPU_$*:%=-D%) -I$(abspath tests/cpu) $(SAN)" \
	  $(CPU_RTL) $(abspath $(CPU_TEST_SRC) $(CPU_MODEL)) -o $(abspath $@) > $(@D)/obj-$*/log 2>&1 \
	  || { cat $(@D)/obj-$*/log; false; }

# Bounded proof of tests/cpu/cpu_formal.v: CPU_FORMAL_DEPTH clocks from reset. Prints one line for each set of parameters.
CPU_FORMAL_DEPTH ?= 16
CPU_AIGER := $(CPU_PROVED:%=$(B)/tests/cpu/%.aig)

$(CPU_AIGER): $(B)/tests/cpu/%.aig: $(CPU_RTL) tests/cpu/cpu_formal.v interface/cpu_cycles.def
	$(call say,YOSYS,$@)
	@mkdir -p $(@D)
	yosys -q -p "read_verilog -formal -DRISCV_FORMAL \
	  $$(awk '!/^#/ && NF > 1 {printf "-DCYCLES_%s=%s ", $$1, $$2}' interface/cpu_cycles.def) $(CPU_RTL) tests/cpu/cpu_formal.v; \
	  chparam $(foreach set,$(CPU_$*),-set $(subst =, ,$(set))) cpu_formal; prep -flatten -top cpu_formal; memory_map; async2sync; \
	  setundef -undriven -anyseq; opt -full; techmap; opt -fast; dffunmap; simplemap; abc -g AND -fast; opt_clean; \
	  write_aiger -zinit -I -B $@"

.PHONY: formal-cpu
formal-cpu: $(CPU_AIGER)
	$(call say,YOSYS,$@)
	@for variant in $(CPU_PROVED); do \
	  log=$(B)/tests/cpu/formal-$$variant.log; \
	  yosys-abc -c "read_aiger $(B)/tests/cpu/$$variant.aig; strash; bmc3 -F $(CPU_FORMAL_DEPTH)" > $$log; \
	  grep -q "No output asserted in $(CPU_FORMAL_DEPTH) frames" $$log \
	    || { cat $$log; echo "es_cpu ($$variant): a property fails"; exit 1; }; \
	  echo "es_cpu ($$variant): properties hold for $(CPU_FORMAL_DEPTH) clocks from reset"; \
	done

# Size and speed with TRAPS=0. CPU_SEEDS: placements to try.
CPU_SEEDS ?= 1 2 3
CPU_SYNTH_RTL := $(filter-out %_rvfi.v,$(CPU_RTL))

$(B)/tests/cpu/synth.json: $(CPU_SYNTH_RTL) tests/cpu/cpu_synth.v
	$(call say,YOSYS,$@)
	@mkdir -p $(@D)
	yosys -q -l $(@D)/synth.log -p "read_verilog $(CPU_SYNTH_RTL); synth_ice40 -top es_cpu; \
	  tee -o $(@D)/synth.stat stat; design -reset; \
	  read_verilog $(CPU_SYNTH_RTL) tests/cpu/cpu_synth.v; synth_ice40 -top cpu_synth -json $@"

.PHONY: synth-cpu
synth-cpu: $(B)/tests/cpu/synth.json
	$(call say,ROUTE,$@)
	@awk '/SB_LUT4/ {lut = $$2} /SB_DFF/ {ff += $$2} /SB_RAM/ {ram = $$2} \
	  END {printf "es_cpu: %d LUT4, %d FF, %d BRAM\n", lut, ff, ram}' $(B)/tests/cpu/synth.stat
	@for part in "up5k --package sg48 --freq 24" "hx8k --package ct256 --freq 80"; do for seed in $(CPU_SEEDS); do \
	  nextpnr-ice40 --$$part --json $(B)/tests/cpu/synth.json --seed $$seed --pcf-allow-unconstrained 2>&1 \
	    | awk -v name="$${part%% *} seed $$seed:" '/Max frequency/ {mhz = $$7} END {print name, mhz, "MHz"}'; \
	done; done

$(B)/tests/cpu/proof: $(CPU_AIGER) tests/cpu/rules.mk
	$(call say,GEN,$@)
	printf '#!/bin/sh\nif make --no-print-directory -s B=$(B) formal-cpu; then echo "$(words $(CPU_PROVED)) passed, 0 failed"; else echo "0 passed, 1 failed"; fi\n' > $@
	chmod +x $@
TESTS += $(B)/tests/cpu/proof

# What programs leave on the target, against qemu and this machine.
$(B)/tests/cpu/run_bare.o: tests/cpu/run_bare.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(B)/tests/cpu/run_bare.d
$(B)/tests/cpu/run_bare: $(B)/tests/cpu/run_bare.o $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
$(B)/tests/cpu/outside: tests/cpu/rules.mk | $(B)/tests/cpu/run_bare
	$(call say,GEN,$@)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cpu/outside.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/cpu/outside
