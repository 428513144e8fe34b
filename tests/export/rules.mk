# Exports of traces: what other programs read of them.

EXPORT_TEST_DIR := $(B)/tests/export
$(EXPORT_TEST_DIR)/formats: tests/export/rules.mk | $(B)/earshot $(B)/tests/store/write-made
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/export/formats.py\n' > $@ && chmod +x $@
TESTS += $(EXPORT_TEST_DIR)/formats
