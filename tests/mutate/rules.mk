# `make mutate`: plants small faults in the RTL, one at a time, and looks whether a test notices (docs/mutation.md).
# ONE=es_uart: those of one module; MUTANTS: how many over all; SEED: another choice; MUTATE_JOBS: how many at a time;
# TRUST=1: what was killed once counts as killed, whatever changed since. Verdicts are kept in build/mutate, so a second
# run looks only at what changed.
MUTATE_JOBS ?= 2
MUTANTS ?= 250
.PHONY: mutate
mutate: $(DEFS) $(B)/libearshot.a $(B)/host/stream/frame.o
	nice -n 15 tests/mutate/mutate --build $(B) --jobs $(MUTATE_JOBS) --count $(MUTANTS) $(if $(SEED),--seed $(SEED)) \
	  $(if $(ONE),--one $(ONE)) $(if $(TRUST),--trust)

# What plants them is tested, too, with a few mutants of one small module.
MUTATE_TEST := $(B)/tests/mutate/planting
$(MUTATE_TEST): tests/mutate/rules.mk | $(DEFS) $(B)/libearshot.a
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/mutate/planting.py\n' > $@ && chmod +x $@
TESTS += $(MUTATE_TEST)
