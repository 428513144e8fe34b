# riscv-tests on host/machine, on the reference target (RTL), and recorded and replayed. What of them is in the pinned packages of foreign
# cores is part of `make test-cores`; all of a checkout: make riscv-tests RISCV_TESTS=DIR

RISCV_DIR := $(B)/tests/riscv
$(RISCV_DIR)/machine: tests/riscv/machine.c tests/riscv/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c %.a,$^) -o $@ $(HOST_LIBS) -lm
RISCV_RUN := EARSHOT_BUILD=$(B) CROSS=$(CROSS) $(PYTHON) tests/riscv/riscv_tests.py
RISCV_NEEDS := $(RISCV_DIR)/machine $(B)/tests/machine/run_retired $(B)/earshot

RISCV_TESTS ?=
riscv-tests: $(RISCV_NEEDS)
	$(if $(RISCV_TESTS),,$(error RISCV_TESTS=DIR: a checkout of riscv-software-src/riscv-tests))
	$(RISCV_RUN) $(RISCV_TESTS)
.PHONY: riscv-tests

# Those of PicoRV32's package (RV32I and M)
$(RISCV_DIR)/picorv32: tests/riscv/rules.mk $(CORES_VENV)/made | $(RISCV_NEEDS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec env $(RISCV_RUN) "%s"\n' "$(call cores_package,picorv32)/tests" > $@ && chmod +x $@
CORES_TESTS += $(RISCV_DIR)/picorv32
test-cores: $(RISCV_DIR)/picorv32
