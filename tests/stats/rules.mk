# Tests of host/stats.

STATS_DIR := $(B)/tests/stats
STATS_OBJ := $(addprefix $(B)/host/,stats/stats.o stats/histogram.o base/arena.o)

$(STATS_DIR)/told $(STATS_DIR)/stats: $(STATS_DIR)/%: $(STATS_OBJ) tests/support/check_main.h tests/support/draw.h tests/stats/rules.mk
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/support $(filter %.c,$^) $(STATS_OBJ) -o $@ $(shell pkg-config --libs check) -lm
$(STATS_DIR)/told: tests/stats/told.c
$(STATS_DIR)/stats: tests/stats/test_stats.c

$(STATS_DIR)/independent: tests/stats/rules.mk | $(STATS_DIR)/told
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/stats/independent.py\n' > $@ && chmod +x $@
TESTS += $(STATS_DIR)/stats $(STATS_DIR)/independent
