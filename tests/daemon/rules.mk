# earshotd, driven from outside.
DAEMON_TEST_DIR := $(B)/tests/daemon
$(DAEMON_TEST_DIR)/daemon: tests/daemon/rules.mk | $(B)/earshot $(B)/earshotd $(CLI_TEST_ELF) $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/daemon/daemon.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(DAEMON_TEST_DIR)/daemon
