# Reliability: `make campaign` disturbs earshot and its daemon in all the ways that there are; make test does a little of it.

CAMPAIGN_DIR := $(B)/tests/campaign
$(CAMPAIGN_DIR)/bad-disk.so: tests/campaign/bad_disk.c
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(filter-out $(SAN) -Wmissing-prototypes,$(CFLAGS)) -fPIC -shared $< -o $@
$(CAMPAIGN_DIR)/pump: tests/campaign/pump.c host/stream/frame.c $(B)/gen/probe_defs.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) $(filter %.c,$^) -o $@
# programs of other rooms' rules are known only after all are read
.SECONDEXPANSION:
CAMPAIGN_NEEDS = $(B)/earshot $(B)/earshotd $(B)/virtual-probe $(CAMPAIGN_DIR)/bad-disk.so $(CAMPAIGN_DIR)/pump $(CLI_TEST_ELF) $(EXAMPLES_ELF)
$(CAMPAIGN_DIR)/campaign: tests/campaign/rules.mk | $$(CAMPAIGN_NEEDS)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/campaign/campaign.py --short --seed "$${EARSHOT_SEED:-1}" "$$@"\n' > $@ && chmod +x $@
TESTS += $(CAMPAIGN_DIR)/campaign
ALONE += $(CAMPAIGN_DIR)/campaign

# PARTS: some of them; SEED: what another one printed; SANITIZE=1: on programs that check themselves
campaign: $$(CAMPAIGN_NEEDS)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/campaign/campaign.py $(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES)) $(PARTS)
.PHONY: campaign
