# What is particular to boards: the clock-domain crossings of their netlists, and how their pins are sampled.
BOARDS_TEST := $(B)/tests/boards

BOARDS_ONCE := icebreaker ulx3s ulx3s-soc ulx3s-ft245 # each top once
BOARDS_TEST_FILES = $(foreach board,$(BOARDS_ONCE),BOARD_FILES_$(BOARD_$(board)_TOP)="$(sort $(call BOARDS_FILES,$(board)))")
$(BOARDS_TEST)/crossings: tests/boards/rules.mk rtl/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) $(BOARDS_TEST_FILES) exec $(PYTHON) tests/boards/crossings.py\n' > $@
	chmod +x $@
TESTS += $(BOARDS_TEST)/crossings

$(BOARDS_TEST)/pins: tests/boards/rules.mk rtl/boards/rules.mk | $(DEFS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/boards/pins.py\n' > $@ && chmod +x $@
TESTS += $(BOARDS_TEST)/pins
