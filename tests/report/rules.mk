# The page of `earshot report`, in a browser.

REPORT_TEST_DIR := $(B)/tests/report
$(REPORT_TEST_DIR)/write-runs: tests/report/write_runs.c tests/support/draw.h $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $< $(B)/libearshot.a -o $@ $(HOST_LIBS) -lm
REPORT_TESTS := $(addprefix $(REPORT_TEST_DIR)/,page hostile)
$(REPORT_TESTS): $(REPORT_TEST_DIR)/%: tests/report/rules.mk | $(B)/earshot $(REPORT_TEST_DIR)/write-runs $(B)/tests/store/write-made
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/report/$*.py\n' > $@ && chmod +x $@
TESTS += $(REPORT_TESTS)
