# The Debian packages, as their users get them.
$(B)/tests/package/package: tests/package/rules.mk $(DEB)/made | $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/package/package.py\n' > $@ && chmod +x $@
# the packages hold what is built for users
ifneq ($(SANITIZE),1)
TESTS += $(B)/tests/package/package
endif
