# All that `make fuzz` runs builds, and takes some inputs without a fault.

FUZZ_TEST := $(B)/tests/fuzz/fuzz
$(FUZZ_TEST): tests/fuzz/rules.mk | fuzzers
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/fuzz/fuzz.py\n' > $@ && chmod +x $@
fuzz-names:
	@echo $(FUZZ)
.PHONY: fuzzers fuzz-names
# they have checks of their own, and those of two compilers do not mix
ifneq ($(SANITIZE),1)
TESTS += $(FUZZ_TEST)
endif
