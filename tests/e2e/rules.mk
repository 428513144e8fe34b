# End to end: the whole product on programs, against the oracle. What stands in the build folder only starts the Python programs.

E2E_DIR := $(B)/tests/e2e
E2E_NEEDS := $(B)/earshot $(ORACLE_LOG) $(EXAMPLES_ELF)
E2E_oracle-compare := tests/e2e/compare.py
E2E_streams := tests/e2e/streams.py
E2E_TESTS := $(E2E_DIR)/oracle-compare $(E2E_DIR)/streams

$(E2E_TESTS): $(E2E_DIR)/%: tests/e2e/rules.mk | $(E2E_NEEDS)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) $(E2E_$*)\n' > $@ && chmod +x $@
TESTS += $(E2E_TESTS)

# More generated programs: SOAK of them from EARSHOT_SEED on; or the one with SEED.
SOAK ?= 2000
soak: $(E2E_NEEDS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/e2e/compare.py $(if $(SEED),--seed $(SEED),--seeds $(SOAK))
