# riscv-tests on host/machine, on the reference target (RTL), and recorded and replayed. What of them is in the pinned packages of foreign
# cores is part of `make test-cores`; all of a checkout: make riscv-tests RISCV_TESTS=DIR

RISCV_DIR := $(B)/tests/riscv
$(RISCV_DIR)/machine: tests/riscv/machine.c tests/riscv/rules.mk $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c %.a,$^) -o $@ $(HOST_LIBS) -lm
RISCV_NEEDS := $(RISCV_DIR)/machine $(B)/tests/machine/run_retired $(B)/earshot
