# The oracle: what the hits of a run must be, from retired instructions and from nothing that the host or the probe says.

ORACLE_LOG := $(B)/tests/oracle/retire-log
$(B)/tests/oracle/retire_log.o: tests/oracle/retire_log.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(B)/tests/oracle/retire_log.d

$(ORACLE_LOG): $(B)/tests/oracle/retire_log.o $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $< -o $@ $(SIM_LIBS)

# Python programs run in place; what stands in the build folder only names them for scripts/run-tests.
ORACLE_TESTS := $(B)/tests/oracle/oracle-units
$(ORACLE_TESTS): tests/oracle/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/oracle/test_oracle.py\n' > $@ && chmod +x $@
TESTS += $(ORACLE_TESTS)
