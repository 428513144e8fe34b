# The Python package, in an environment of its own.
$(B)/tests/python/package: tests/python/rules.mk | $(B)/earshot $(B)/earshotd $(CLI_TEST_ELF) $(B)/examples/thermostat-O0.elf \
  $(B)/examples/tasks-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/python/package.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/python/package

# A cocotb test of the examples, with the simulated probe beside its processor.
$(B)/tests/python/cocotb-example: tests/python/rules.mk | $(B)/earshot $(B)/gen/probe_defs.vh
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/python/cocotb_example.py\n' > $@ && chmod +x $@
TESTS += $(B)/tests/python/cocotb-example
