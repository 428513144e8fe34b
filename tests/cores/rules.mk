# Other processors in the reference target's place, and what the probe may say of each (`make test-cores`). Sources of foreign ones come
# from PyPI, into $(CORES_VENV).
CORES_VENV := $(B)/cores/venv
$(CORES_VENV)/made: tests/cores/requirements.txt
	scripts/install-deps --cores $(CORES_VENV)
	touch $@
$(B)/cores/rtl/picorv32.v: $(CORES_VENV)/made
	@mkdir -p $(@D)
	cp "$$($(CORES_VENV)/bin/python -c 'import pythondata_cpu_picorv32 as core; print(core.data_location)')/picorv32.v" $@

CORES_TARGET_RTL := $(filter-out sim/target/es_target_node.v,$(SIM_TARGET_RTL))
CORES_PICORV32_RTL := tests/cores/picorv32_node.v $(B)/cores/rtl/picorv32.v $(CORES_TARGET_RTL)
# name: RTL of the target, what its fetches prove, more flags
CORE_reference-ahead_RTL := $(SIM_TARGET_RTL)
CORE_reference-ahead_FETCHES := AHEAD
CORE_picorv32-ahead_RTL := $(CORES_PICORV32_RTL)
CORE_picorv32-ahead_FETCHES := AHEAD
CORE_picorv32-retired_RTL := $(CORES_PICORV32_RTL) tests/cores/es_core_stream.v rtl/tap/es_tap_rvfi.v
CORE_picorv32-retired_FETCHES := RETIRED
CORE_picorv32-retired_FLAGS := -DES_CORE_RETIRED
# the reference target's bus with its lanes the other way round
CORE_reference-big_RTL := $(SIM_TARGET_RTL)
CORE_reference-big_FETCHES := BIG_ENDIAN
CORES := reference-ahead reference-big picorv32-ahead picorv32-retired

# (PicoRV32 has no control registers but counters, and programs here use none)
CORE_reference-ahead_ISA := $(SIM_ISA)
CORE_reference-big_ISA := $(SIM_ISA)
CORE_picorv32-ahead_ISA := rv32im_zicsr
CORE_picorv32-retired_ISA := rv32im_zicsr

# The probe's model differs in what it says of fetches alone; the target's is made for each.
define CORE_RULES
$(call SIM_MODEL_RULES,$(B)/cores/$(1),bare,$(sort sim/worlds/es_world_bare.v $(CORE_$(1)_RTL)),$(CORE_$(1)_FLAGS))
$(B)/cores/$(1)/shim/bytes.o: sim/shim/bytes.cpp $(B)/cores/$(1)/bare/model.cpp $(B)/cores/$(CORE_$(1)_FETCHES)/bytes/model.cpp $(B)/gen/cpu_cycles.h
	$$(call say,CXX,$$@)
	@mkdir -p $$(@D)
	$$(SIM_CXX) $$(SIM_SHIM_CXXFLAGS) -isystem $(B)/cores/$(CORE_$(1)_FETCHES)/bytes -isystem $(B)/cores/$(1)/bare -c $$< -o $$@
$(call SIM_ISA_RULES,$(B)/cores/$(1)/shim/isa.o,$(CORE_$(1)_ISA))
$(B)/cores/$(1)/earshot: $(CLI_OBJ) $(B)/cores/$(1)/shim/isa.o $(foreach world,bare bytes,$(B)/cores/$(1)/shim/$(world).o) $(B)/cores/$(1)/bare/model.o \
  $(B)/cores/$(CORE_$(1)_FETCHES)/bytes/model.o $(B)/libearshot-sim.a $(B)/libearshot.a
	$$(call say,LD,$$@)
	$$(CC) $$(CFLAGS) $$(filter %.o,$$^) -o $$@ $$(SIM_LIBS) $$(CLI_LIBS)
endef
$(foreach core,$(CORES),$(eval $(call CORE_RULES,$(core))))
$(foreach kind,AHEAD RETIRED,$(eval $(call SIM_MODEL_RULES,$(B)/cores/$(kind),bytes,$(SIM_bytes_RTL),-DES_SIM_FETCHES='`ES_FETCHES_$(kind)')))
$(eval $(call SIM_MODEL_RULES,$(B)/cores/BIG_ENDIAN,bytes,$(SIM_bytes_RTL),-DES_SIM_FETCHES='`ES_FETCHES_EXECUTED' -DES_SIM_BIG_ENDIAN))

# What needs nothing from PyPI is part of `make test`.
CORES_TEST := $(B)/tests/cores
$(CORES_TEST)/ahead: tests/cores/rules.mk | $(B)/cores/reference-ahead/earshot $(B)/earshot $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/ahead.py reference-ahead\n' > $@ && chmod +x $@
TESTS += $(CORES_TEST)/ahead

$(CORES_TEST)/big_endian: tests/cores/rules.mk | $(B)/cores/reference-big/earshot $(B)/earshot $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/big_endian.py\n' > $@ && chmod +x $@
TESTS += $(CORES_TEST)/big_endian

$(CORES_TEST)/picorv32: tests/cores/rules.mk | $(B)/earshot $(B)/cores/picorv32-ahead/earshot $(B)/cores/picorv32-retired/earshot $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/picorv32.py\n' > $@ && chmod +x $@
CORES_TESTS := $(CORES_TEST)/picorv32
.PHONY: test-cores
test-cores: $(CORES_TESTS)
	$(RUN_TESTS) $(CORES_TESTS)
