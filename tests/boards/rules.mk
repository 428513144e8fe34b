# What is particular to boards: the clock-domain crossings of their netlists, and the device's cells beside the models of them.
BOARDS_TEST := $(B)/tests/boards

$(BOARDS_TEST)/crossings: tests/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) BOARD_FILES="$(filter-out %_blackbox.v,$(sort $(BOARDS_RTL)))" exec $(PYTHON) tests/boards/crossings.py\n' > $@
	chmod +x $@
TESTS += $(BOARDS_TEST)/crossings
