# What is particular to boards: the clock-domain crossings of their netlists, and how their pins are sampled.
BOARDS_TEST := $(B)/tests/boards

$(BOARDS_TEST)/crossings: tests/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) BOARD_FILES="$(filter-out %_blackbox.v,$(sort $(BOARDS_RTL)))" exec $(PYTHON) tests/boards/crossings.py\n' > $@
	chmod +x $@
TESTS += $(BOARDS_TEST)/crossings

$(BOARDS_TEST)/pins: tests/boards/rules.mk
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/boards/pins.py\n' > $@ && chmod +x $@
TESTS += $(BOARDS_TEST)/pins
