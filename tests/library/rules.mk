# The library as others have it: installed, its example built against it, removed again. And what shells complete.
LIBRARY_TEST := $(B)/tests/library/library
LIBRARY_TEST_NEEDS := $(B)/earshot $(B)/libearshot.a $(B)/libearshot.so $(PUBLIC_HEADERS)
$(LIBRARY_TEST): tests/library/rules.mk | $(LIBRARY_TEST_NEEDS) $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CC="$(CC)" SAN="$(SAN)" MADE="$(LIBRARY_TEST_NEEDS)" exec $(PYTHON) tests/library/library.py\n' > $@ && chmod +x $@
$(B)/tests/library/completions: tests/library/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/library/completions.py\n' > $@ && chmod +x $@
TESTS += $(LIBRARY_TEST) $(B)/tests/library/completions
