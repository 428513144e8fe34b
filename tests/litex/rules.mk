# The probe in LiteX SoCs, and FuseSoC's core files (`make test-cores`): LiteX, its processors and FuseSoC come from PyPI, into $(LITEX_VENV),
# and the package earshot_litex as pip makes it of a checkout.
LITEX_VENV := $(B)/litex/venv
LITEX_SOURCES := $(addprefix integration/litex/,pyproject.toml setup.py README.md) $(wildcard integration/litex/earshot_litex/*.py integration/litex/earshot_litex/*/*/*) \
  $(wildcard rtl/core/*.v rtl/cpu/*.v rtl/link/*.v rtl/tap/*.v) interface/probe.def interface/rv32.def scripts/gen-defs scripts/vexriscv-ports VERSION
$(LITEX_VENV)/made: tests/litex/requirements.txt
	scripts/install-deps --litex $(LITEX_VENV)
	touch $(B)/FUSESOC_IGNORE # what packages bring are no cores of this checkout
	touch $@
# of a copy, as building leaves files beside the sources
$(B)/litex/installed: $(LITEX_VENV)/made $(LITEX_SOURCES)
	$(call say,PIP,$@)
	rm -rf $(B)/litex/checkout && mkdir -p $(B)/litex/checkout
	cp --parents $(LITEX_SOURCES) $(B)/litex/checkout
	$(LITEX_VENV)/bin/pip --disable-pip-version-check install --quiet --no-build-isolation --no-deps --force-reinstall $(B)/litex/checkout/integration/litex
	touch $@

# SoCs whose BIOS runs: processor, variant, tap, and KiB of the probe's memory
LITEX_SOCS := vexriscv-standard-retired-32 vexriscv-minimal-bus-128 picorv32-standard-auto-64
LITEX_MADE := $(LITEX_SOCS:%=$(B)/litex/%/made)
$(LITEX_MADE): $(B)/litex/%/made: $(B)/litex/installed tests/litex/logged_soc.py tests/litex/es_litex_log.v examples/litex/soc.py
	$(call say,LITEX,$@)
	@mkdir -p $(@D)
	{ unset MAKEFLAGS MAKELEVEL MFLAGS CC; PATH=$(abspath $(LITEX_VENV))/bin:$$PATH $(LITEX_VENV)/bin/python tests/litex/logged_soc.py $(abspath $(@D)) $(subst -, ,$*) && \
	  cd $(@D)/gateware && sh build_sim.sh && test -x obj_dir/Vsim; } > $(@D)/log 2>&1 < /dev/null || { tail -n 30 $(@D)/log; exit 1; }
	touch $@

LITEX_TEST := $(B)/tests/litex
$(LITEX_TEST)/bios: tests/litex/rules.mk | $(B)/earshot $(LITEX_MADE)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/litex/bios.py $(LITEX_SOCS:%=$(B)/litex/%)\n' > $@ && chmod +x $@
$(LITEX_TEST)/variants: tests/litex/rules.mk | $(B)/litex/installed
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/litex/variants.py $(LITEX_VENV)/bin/python\n' > $@ && chmod +x $@
$(B)/tests/fusesoc/fusesoc: tests/litex/rules.mk | $(LITEX_VENV)/made
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nexec $(PYTHON) tests/fusesoc/fusesoc.py $(LITEX_VENV)\n' > $@ && chmod +x $@
LITEX_TESTS := $(LITEX_TEST)/bios $(LITEX_TEST)/variants $(B)/tests/fusesoc/fusesoc
CORES_TESTS += $(LITEX_TESTS)
test-cores: $(LITEX_TESTS)
