# es_cpu. CPU_RTL: its files, for every room that builds on it.
CPU_RTL := $(addprefix rtl/cpu/,es_cpu.v es_cpu_alu.v es_cpu_csr.v es_cpu_decode.v es_cpu_expand.v es_cpu_lanes.v \
  es_cpu_late.v es_cpu_load.v es_cpu_muldiv.v es_cpu_regs.v es_cpu_rvfi.v es_cpu_shift.v)

LINT += lint-cpu
.PHONY: lint-cpu
lint-cpu:
	$(call say,LINT,cpu)
	for parameters in -GTRAPS=0 -GTRAPS=1 "-GTRAPS=0 -GCOMPRESSED=1" -GMULDIV=1 -GLATE=1 "-GTRAPS=1 -GCOMPRESSED=1 -GMULDIV=1"; do \
	  for formal in "" -DRISCV_FORMAL; do \
	    $(VERILATOR) --lint-only -Wall $$formal $$parameters --top-module es_cpu $(CPU_RTL) || exit 1; \
	done; done
