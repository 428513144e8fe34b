# Other processors in the reference target's place, and what the probe may say of each (`make test-cores`). Sources of foreign ones come
# from PyPI, into $(CORES_VENV).
CORES_VENV := $(B)/cores/venv
$(CORES_VENV)/made: tests/cores/requirements.txt
	scripts/install-deps --cores $(CORES_VENV)
	touch $@
# the folder of a package's files: $(call cores_package,NAME), in a recipe
cores_package = $$($(CORES_VENV)/bin/python -c 'import pythondata_cpu_$(1) as core; print(core.data_location)')
$(B)/cores/rtl/picorv32.v: $(CORES_VENV)/made
	@mkdir -p $(@D)
	cp "$(call cores_package,picorv32)/picorv32.v" $@
# One file with all that a core has
$(B)/cores/rtl/serv.v: $(CORES_VENV)/made
	@mkdir -p $(@D)
	cd "$(call cores_package,serv)/rtl" && cat $$(ls serv_*.v | grep -v serv_synth_wrapper) > $(abspath $@)

# Packages and what they need go first. Verilator finds the rest by the modules' names.
IBEX_FOLDERS := vendor/lowrisc_ip/ip/prim/rtl vendor/lowrisc_ip/ip/prim_generic/rtl vendor/lowrisc_ip/dv/sv/dv_utils dv/uvm/core_ibex/common/prim rtl
IBEX_PACKAGES := $(patsubst %,$(B)/cores/rtl/ibex/%_pkg.sv,prim prim_util prim_count prim_ram_1p prim_secded prim_mubi prim_cipher ibex)
$(B)/cores/rtl/ibex/made: $(CORES_VENV)/made
	rm -rf $(@D) && mkdir -p $(@D)
	cd "$(call cores_package,ibex)" && cp $(foreach folder,$(IBEX_FOLDERS),$$(find $(folder) -maxdepth 1 -name '*.sv' -o -maxdepth 1 -name '*.svh')) $(abspath $(@D))
	touch $@
$(IBEX_PACKAGES): $(B)/cores/rtl/ibex/made

# What the target's programs take for devices is not to be cached: where that is, is said when the netlist is made (LiteX: above 2 GiB).
# The log wants to know where mret goes, too.
$(B)/cores/rtl/Vex%.v: scripts/vexriscv-ports $(CORES_VENV)/made
	@mkdir -p $(@D)
	scripts/vexriscv-ports "$(call cores_package,vexriscv)/Vex$*.v" $@ CsrPlugin_mepc
	sed -i 's/\(DBusCachedPlugin_mmuBus_rsp_physicalAddress\)\[31\]/\1[28]/' $@
CORES_VEXRISCV_RTL := rtl/tap/es_tap_vexriscv.v tests/cores/es_core_same.v tests/cores/es_core_next.v

CORES_HEADERS := $(wildcard tests/cores/*.vh) tests/cores/foreign.vlt
CORES_TARGET_RTL := $(filter-out sim/target/es_target_node.v,$(SIM_TARGET_RTL))
CORES_retired_RTL := tests/cores/es_core_stream.v rtl/tap/es_tap_rvfi.v
CORES_followed_RTL := rtl/tap/es_follow.v rtl/tap/es_tap_memvalid.v rtl/tap/es_tap_lanes.v rtl/tap/es_tap_rvfi.v tests/cores/es_core_same.v
# name: RTL of the target, what its fetches prove, what it executes, more flags
CORE_reference-ahead_RTL := $(SIM_TARGET_RTL)
CORE_reference-ahead_FETCHES := AHEAD
CORE_reference-ahead_ISA := $(SIM_ISA)
# the reference target's bus with its lanes the other way round
CORE_reference-big_RTL := $(SIM_TARGET_RTL)
CORE_reference-big_FETCHES := BIG_ENDIAN
CORE_reference-big_ISA := $(SIM_ISA)

# the reference target with a processor whose data are big endian
CORE_reference-data-big_RTL := $(SIM_TARGET_RTL) sim/target/es_target_order.v
CORE_reference-data-big_FETCHES := EXECUTED
CORE_reference-data-big_ISA := rv32imc_zicsr_zifencei
CORE_reference-data-big_FLAGS := -DES_TARGET_BIG_ENDIAN
CORE_reference-data-big_EXAMPLES := big-endian
CORE_reference-data-big_SAYS := -DES_SIM_BIG_ENDIAN

# $(1): core, $(2): kinds that its nodes are made for, $(3): ISA, $(4): RTL beside its node, $(5): flags
define CORE_OF
$(foreach kind,$(2),
CORES += $(1)-$(kind)
CORE_$(1)-$(kind)_RTL := $(4) tests/cores/$(firstword $(subst _, ,$(1)))_node.v $(CORES_TARGET_RTL) $(CORES_$(kind)_RTL)
CORE_$(1)-$(kind)_FETCHES := $(shell echo $(kind) | tr a-z A-Z)
CORE_$(1)-$(kind)_ISA := $(3)
CORE_$(1)-$(kind)_FLAGS := $(5) $(if $(filter retired followed,$(kind)),-DES_CORE_$(shell echo $(kind) | tr a-z A-Z))
)
endef
CORES := reference-ahead reference-big reference-data-big
# (PicoRV32 has no control registers but counters, and programs here use none)
$(eval $(call CORE_OF,picorv32,ahead followed retired,rv32im_zicsr,$(B)/cores/rtl/picorv32.v))
$(eval $(call CORE_OF,picorv32_c,retired,rv32imc_zicsr,$(B)/cores/rtl/picorv32.v,-DES_CORE_COMPRESSED=1))
$(eval $(call CORE_OF,serv,executed retired,rv32i_zicsr,$(B)/cores/rtl/serv.v rtl/tap/es_tap_serv.v))
$(eval $(call CORE_OF,ibex,retired,rv32imc_zicsr,$(IBEX_PACKAGES) tests/cores/prim_clock_gating.v,\
  -DES_CORE_COMPRESSED=1 -DRVFI -DSYNTHESIS -y $(B)/cores/rtl/ibex -I$(B)/cores/rtl/ibex))
$(eval $(call CORE_OF,vexriscv_min,retired,rv32i_zicsr,$(B)/cores/rtl/VexRiscv_Min.v $(CORES_VEXRISCV_RTL),-DES_CORE_READS))
$(eval $(call CORE_OF,vexriscv_lite,retired,rv32im_zicsr,$(B)/cores/rtl/VexRiscv_Lite.v $(CORES_VEXRISCV_RTL),-DES_CORE_READS))
$(eval $(call CORE_OF,vexriscv,retired,rv32im_zicsr,$(B)/cores/rtl/VexRiscv.v $(CORES_VEXRISCV_RTL)))
$(eval $(call CORE_OF,vexriscv_imac,retired,rv32imac_zicsr,$(B)/cores/rtl/VexRiscv_IMAC.v $(CORES_VEXRISCV_RTL),-DES_CORE_COMPRESSED=1 -DES_CORE_ATOMIC=1))

# The probe's model differs in what it says of fetches alone; the target's is made for each.
define CORE_RULES
$(call SIM_MODEL_RULES,$(B)/cores/$(1),bare,sim/worlds/es_world_bare.v $(CORE_$(1)_RTL),$(CORE_$(1)_FLAGS) -Itests/cores tests/cores/foreign.vlt)
$(B)/cores/$(1)/bare/model.cpp: $(CORES_HEADERS)
$(B)/cores/$(1)/shim/bytes.o: sim/shim/bytes.cpp $(B)/cores/$(1)/bare/model.cpp $(B)/cores/$(CORE_$(1)_FETCHES)/bytes/model.cpp $(B)/sim/shared/model.cpp $(B)/gen/cpu_cycles.h
	$$(call say,CXX,$$@)
	@mkdir -p $$(@D)
	$$(SIM_CXX) $$(SIM_SHIM_CXXFLAGS) -isystem $(B)/cores/$(CORE_$(1)_FETCHES)/bytes -isystem $(B)/cores/$(1)/bare -isystem $(B)/sim/shared -c $$< -o $$@
$(call SIM_ISA_RULES,$(B)/cores/$(1)/shim/isa.o,$(CORE_$(1)_ISA),$(CORE_$(1)_SAYS))
CORE_$(1)_OBJ := $(B)/cores/$(1)/shim/isa.o $(foreach world,bare bytes,$(B)/cores/$(1)/shim/$(world).o) $(B)/cores/$(1)/bare/model.o \
  $(B)/cores/$(CORE_$(1)_FETCHES)/bytes/model.o
$(B)/cores/$(1)/earshot: $(CLI_OBJ) $$(CORE_$(1)_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$$(call say,LD,$$@)
	$$(CC) $$(CFLAGS) $$(filter %.o,$$^) -o $$@ $$(SIM_LIBS) $$(CLI_LIBS)
# what the oracle is told by the core's own retire port, and the examples for what it executes
$(B)/cores/$(1)/tests/oracle/retire-log: $(B)/tests/oracle/retire_log.o $$(CORE_$(1)_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$$(call say,LD,$$@)
	@mkdir -p $$(@D)
	ln -sfn ../$(if $(CORE_$(1)_ISA),examples/$(or $(CORE_$(1)_EXAMPLES),$(CORE_$(1)_ISA)),../examples) $(B)/cores/$(1)/examples
	$$(CC) $$(CFLAGS) $$(filter %.o,$$^) -o $$@ $$(SIM_LIBS)
endef
$(foreach core,$(CORES),$(eval $(call CORE_RULES,$(core))))
$(foreach kind,AHEAD RETIRED EXECUTED,$(eval $(call SIM_MODEL_RULES,$(B)/cores/$(kind),bytes,$(SIM_bytes_RTL),-DES_SIM_FETCHES='`ES_FETCHES_$(kind)')))
# what is followed is executed, but a bus without strobes for reads does not say which bytes are read
$(eval $(call SIM_MODEL_RULES,$(B)/cores/FOLLOWED,bytes,$(SIM_bytes_RTL),-DES_SIM_FETCHES='`ES_FETCHES_EXECUTED' -DES_SIM_READ_HITS=0))
$(eval $(call SIM_MODEL_RULES,$(B)/cores/BIG_ENDIAN,bytes,$(SIM_bytes_RTL),-DES_SIM_FETCHES='`ES_FETCHES_EXECUTED' -DES_SIM_BIG_ENDIAN))

# The recorder by its tap, replayed, against its retire port: examples, and programs with interrupts where the processor has any.
$(B)/cores/programs/interrupted-%.elf: tests/cores/interrupted.c tests/cores/rules.mk $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=$(word 2,$(subst -, ,$*)) -$(word 1,$(subst -, ,$*)) $(addprefix -D,$(word 3,$(subst -, ,$*))) -Wall -Wextra -Werror $< -o $@
$(B)/cores/replayed.o: tests/cores/replayed.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/replay -Itests/support -Isim -c $< -o $@
define CORE_REPLAYED_RULES
$(B)/cores/$(1)/replayed: $(B)/cores/replayed.o $(addprefix $(B)/tests/replay/,taken.o encoder.o recorded.o) $$(CORE_$(1)_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$$(call say,LD,$$@)
	$$(CC) $$(CFLAGS) $$(filter %.o,$$^) -o $$@ $$$$(pkg-config --libs check) $$(SIM_LIBS)
endef
# Those of the examples that do not wait for interrupts, all of them, and such with interrupts at all places
CORES_PLAIN := $(foreach example,recursion thermostat,$(foreach level,O0 Og O2,$(example)-$(level).elf))
CORES_WAITING := $(foreach example,interrupts nested tasks,$(foreach level,O0 Og O2,$(example)-$(level).elf))
CORES_INTERRUPTED_serv-retired := O2-rv32i_zicsr-NO_STATUS
CORES_INTERRUPTED_ibex-retired := O0-rv32imc_zicsr-VECTORED O2-rv32imc_zicsr-VECTORED
$(foreach core,$(filter vexriscv%,$(CORES)),$(eval CORES_INTERRUPTED_$(core) := $(foreach level,O0 O2,$(level)-$(CORE_$(core)_ISA))))
$(foreach core,$(CORES),$(eval $(call CORE_REPLAYED_RULES,$(core))))
# A tap that does not say which bytes are read (followed), or what is executed (ahead), is for no recorder.
CORES_REPLAYED := $(filter-out reference-% picorv32-ahead picorv32-followed,$(CORES))
define CORE_REPLAYED_TEST_RULES
CORE_REPLAYED_$(1) := $(addprefix cores/examples/$(CORE_$(1)_ISA)/,$(CORES_PLAIN) $(if $(filter vexriscv%,$(1)),$(CORES_WAITING))) \
  $(patsubst %,cores/programs/interrupted-%.elf,$(CORES_INTERRUPTED_$(1)))
$(B)/tests/cores/replayed-$(1): $(B)/cores/$(1)/replayed $$(addprefix $(B)/,$$(CORE_REPLAYED_$(1)))
	$$(call say,GEN,$$@)
	@mkdir -p $$(@D)
	printf '#!/bin/sh\nexec $(B)/cores/$(1)/replayed $(1) $$(CORE_REPLAYED_$(1))\n' > $$@ && chmod +x $$@
CORES_TESTS += $(B)/tests/cores/replayed-$(1)
endef

# The examples for each instruction set that some core has
CORES_EXAMPLES := $(B)/cores/examples
$(foreach isa,$(sort $(foreach core,$(CORES),$(CORE_$(core)_ISA))),$(call EXAMPLES_RULES,$(CORES_EXAMPLES)/$(isa),$(isa)))
$(call EXAMPLES_RULES,$(CORES_EXAMPLES)/big-endian,rv32imc_zicsr -mbig-endian)
# $(1): core
cores_examples = $(addprefix $(if $(CORE_$(1)_ISA),$(CORES_EXAMPLES)/$(CORE_$(1)_ISA),$(B)/examples)/,$(EXAMPLES_NAMES))

$(foreach core,$(CORES_REPLAYED),$(eval $(call CORE_REPLAYED_TEST_RULES,$(core))))

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

# Big-endian programs: values as the same source prints them natively, and hits as the oracle has them. More of them: CORES_BIG_PROGRAMS=200
$(CORES_TEST)/data_big: tests/cores/rules.mk | $(B)/cores/reference-data-big/earshot $(B)/cores/reference-data-big/tests/oracle/retire-log \
    $(addprefix $(CORES_EXAMPLES)/big-endian/,$(EXAMPLES_NAMES))
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/matrix.py reference-data-big rv32imc_zicsr --programs $${CORES_BIG_PROGRAMS:-6} --workloads 0\n' > $@ && chmod +x $@
TESTS += $(CORES_TEST)/data_big
$(CORES_TEST)/data_big_values: tests/cores/rules.mk | $(B)/cores/reference-data-big/earshot $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/e2e/byte_order.py --big\n' > $@ && chmod +x $@
TESTS += $(CORES_TEST)/data_big_values
# ... and on the replay: memory, registers, and the same hits as on the probe
define CORES_BIG_REPLAYED_RULES
$(CORES_TEST)/$(1): tests/cores/rules.mk | $(B)/cores/reference-data-big/earshot $(B)/earshot
	$$(call say,GEN,$$@)
	@mkdir -p $$(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) $(2)\n' > $$@ && chmod +x $$@
TESTS += $(CORES_TEST)/$(1)
endef
$(eval $(call CORES_BIG_REPLAYED_RULES,data_big_replayed,tests/e2e/replayed.py --big))
$(eval $(call CORES_BIG_REPLAYED_RULES,data_big_replayed_values,tests/e2e/byte_order.py --big --replay))
$(eval $(call CORES_BIG_REPLAYED_RULES,in_registers,tests/e2e/in_registers.py))

$(CORES_TEST)/picorv32: tests/cores/rules.mk | $(B)/earshot $(B)/cores/picorv32-ahead/earshot $(B)/cores/picorv32-followed/earshot $(B)/cores/picorv32-retired/earshot $(call cores_examples,picorv32-retired)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/picorv32.py\n' > $@ && chmod +x $@
CORES_TESTS += $(CORES_TEST)/picorv32
# The follower on PicoRV32's bus against its retire port, as configurations of it differ: name, parameters
FOLLOW_BENCH_RTL := tests/cores/es_follow_bench.v $(B)/cores/rtl/picorv32.v $(CORES_followed_RTL)
FOLLOW_plain :=
FOLLOW_compare := -GCOMPARE=1
FOLLOW_irq := -GIRQ=1
FOLLOW_slow := -GIRQ=1 -GDUALPORT=0 -GBARREL=0 -GCOMPARE=1 -GALU=1
define FOLLOW_RULES
$(CORES_TEST)/follow-$(1): tests/cores/follow_bench.cpp $(FOLLOW_BENCH_RTL) $(DEFS)
	$$(call say,VERILOG,$$@)
	@mkdir -p $$(@D)/obj-follow-$(1)
	$(VERILATOR) --cc --exe --build -O3 -Wno-fatal -Wno-lint $(VFLAGS) -DRISCV_FORMAL $(FOLLOW_$(1)) --prefix Vfollow --top-module es_follow_bench \
	  --Mdir $$(@D)/obj-follow-$(1) -CFLAGS '-std=c++17 -O2 -Wall -Wextra -DES_IRQ=$(if $(filter -GIRQ=1,$(FOLLOW_$(1))),true,false) -DES_NAME=\"$(1)\"' \
	  $$(filter %.v,$$^) $$(abspath tests/cores/follow_bench.cpp) -o $$(abspath $$@) > $$(@D)/obj-follow-$(1)/log 2>&1 || { cat $$(@D)/obj-follow-$(1)/log; false; }
CORES_TESTS += $(CORES_TEST)/follow-$(1)
endef
$(foreach name,plain compare irq slow,$(eval $(call FOLLOW_RULES,$(name))))
# Each by each tap that fits it, against the oracle that its retire port feeds: all examples, so many generated programs for each ISA, and so
# many of workload.c's, so many rounds long. A million hits: make test-cores CORES_WORKLOADS=4 CORES_ROUNDS=2; many programs: CORES_PROGRAMS=800
# (levels of optimisation are in turn, or drawn).
CORES_PROGRAMS ?= 6
CORES_WORKLOADS ?= 1
CORES_ROUNDS ?= 1
export CORES_PROGRAMS CORES_WORKLOADS CORES_ROUNDS
# an ISA and those without its extensions, from the richest one on
CORES_ISAS = $(subst rv32im_zicsr,rv32im_zicsr rv32i_zicsr,$(subst rv32imac_zicsr,rv32imac_zicsr rv32im_zicsr,\
  $(subst rv32imc_zicsr,rv32imc_zicsr rv32im_zicsr,$(1))))
CORES_MATRIX := $(filter-out reference-% picorv32-ahead,$(CORES))
define CORE_TEST_RULES
$(CORES_TEST)/$(1): tests/cores/rules.mk | $(B)/cores/$(1)/earshot $(B)/cores/$(1)/tests/oracle/retire-log $(call cores_examples,$(1))
	$$(call say,GEN,$$@)
	@mkdir -p $$(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/cores/matrix.py $(1) $(call CORES_ISAS,$(CORE_$(1)_ISA)) --programs $$$${CORES_PROGRAMS:-6} --workloads $$$${CORES_WORKLOADS:-1} --rounds $$$${CORES_ROUNDS:-1}\n' > $$@ && chmod +x $$@
CORES_TESTS += $(CORES_TEST)/$(1)
endef
$(foreach core,$(CORES_MATRIX),$(eval $(call CORE_TEST_RULES,$(core))))
.PHONY: test-cores
test-cores: $(CORES_TESTS)
	$(RUN_TESTS) $(CORES_TESTS)

# Our own files around them, as strictly as all; those of others are left alone (foreign.vlt).
CORES_LINTED := $(addprefix lint-core-,$(CORES_MATRIX))
.PHONY: lint-cores $(CORES_LINTED)
lint-cores: $(CORES_LINTED)
$(CORES_LINTED): lint-core-%: $(DEFS)
	$(call say,LINT,$*)
	$(MAKE) -s --no-print-directory $(filter $(B)/%,$(CORE_$*_RTL))
	$(VERILATOR) --lint-only -Wall $(SIM_VFLAGS) $(CORE_$*_FLAGS) -Itests/cores tests/cores/foreign.vlt --top-module es_world_bare \
	  sim/worlds/es_world_bare.v $(CORE_$*_RTL)

-include $(wildcard $(B)/cores/*.d $(B)/cores/*/shim/*.d)
