# es_cpu against the model, once without and once with TRAPS.
CPU_TEST_SRC := tests/cpu/cpu_test.cpp tests/cpu/cpu_bench.cpp
CPU_TEST_DEP := $(CPU_TEST_SRC) tests/cpu/cpu_bench.hpp tests/cpu/rv32_model.h interface/cpu_cycles.def
CPU_TESTS := $(B)/tests/cpu/traps0 $(B)/tests/cpu/traps1

TESTS += $(CPU_TESTS)

$(B)/tests/cpu/rv32_model.o: tests/cpu/rv32_model.c tests/cpu/rv32_model.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

$(CPU_TESTS): $(B)/tests/cpu/traps%: $(CPU_RTL) $(CPU_TEST_DEP) $(B)/tests/cpu/rv32_model.o
	@mkdir -p $(@D)/obj$*
	$(VERILATOR) --cc --exe --build -O3 --x-initial unique -DRISCV_FORMAL -GTRAPS=$* -GRESET_PC=256 --prefix Vcpu \
	  --top-module es_cpu --Mdir $(@D)/obj$* -CFLAGS "-std=c++17 -O2 -Wall -Wextra -DTRAPS=$* -I$(abspath tests/cpu)" \
	  $(CPU_RTL) $(abspath $(CPU_TEST_SRC) $(B)/tests/cpu/rv32_model.o) -o $(abspath $@) > $(@D)/obj$*/log 2>&1 \
	  || { cat $(@D)/obj$*/log; false; }
