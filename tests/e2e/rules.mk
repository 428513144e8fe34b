# End to end: the whole product on programs, against the oracle. What stands in the build folder only starts the Python programs.

E2E_DIR := $(B)/tests/e2e
E2E_USB := $(E2E_DIR)/over-usb
# tests/oracle/rules.mk, which names the oracle's program, is read later
E2E_NEEDS := $(E2E_USB) $(B)/earshot $(B)/tests/oracle/retire-log $(EXAMPLES_ELF)
E2E_oracle-compare := tests/e2e/compare.py
E2E_streams := tests/e2e/streams.py
E2E_TESTS := $(E2E_DIR)/oracle-compare $(E2E_DIR)/streams

$(E2E_TESTS): $(E2E_DIR)/%: tests/e2e/rules.mk | $(E2E_NEEDS)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) $(E2E_$*)\n' > $@ && chmod +x $@
TESTS += $(E2E_TESTS)

# earshot and a virtual USB device in one process.
$(E2E_DIR)/over_usb.o: tests/e2e/over_usb.c $(B)/gen/probe_defs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(HOST_CFLAGS) -c $< -o $@
-include $(E2E_DIR)/over_usb.d
$(E2E_USB): $(E2E_DIR)/over_usb.o $(CLI_OBJ) $(VUSB_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(CC) $(CFLAGS) -Wl,--wrap=main $(filter %.o,$^) -o $@ $(SIM_LIBS) $(VUSB_LIBS)

# More generated programs: SOAK of them from EARSHOT_SEED on; or the one with SEED.
SOAK ?= 2000
soak: $(E2E_NEEDS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/e2e/compare.py $(if $(SEED),--seed $(SEED),--seeds $(SOAK))
