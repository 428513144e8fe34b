# Message-passing programs with marks and without, on the multi-core target: the truth that compensation is compared with.
#
# $(B)/mp/NAME-DENSITY.elf has marks, NAME-DENSITY.bare.elf is the same compiler output without, NAME-DENSITY.pad.elf has costlier ones.
# Half of them have compressed instructions, multiplication and division, as target-cc makes them; MP_PLAIN have not, and so all that is
# shown of them is shown of both.
MP_DIR := $(B)/mp
MP_TESTS_DIR := $(B)/tests/mp
MP_PROGRAMS := producer pipeline workers ring stencil polling corners
MP_SOURCE = $(firstword $(wildcard examples/mp/$(1).c tests/mp/$(1).c))
MP_DENSITIES := 0 1 2
MP_NAMES := $(foreach program,$(MP_PROGRAMS),$(MP_DENSITIES:%=$(program)-%))
MP_ELF := $(foreach name,$(MP_NAMES),$(MP_DIR)/$(name).elf $(MP_DIR)/$(name).bare.elf $(MP_DIR)/$(name).pad.elf)
MP_CC = CROSS=$(CROSS) scripts/target-cc
MP_PLAIN := producer-0 producer-2 pipeline-1 workers-0 workers-2 ring-1 stencil-0 stencil-2 corners-1
mp_march = $(if $(filter $(MP_PLAIN),$(firstword $(subst ., ,$(1)))),-march=rv32i_zicsr)

define MP_RULE
$(MP_DIR)/$(1)-$(2).s: $(call MP_SOURCE,$(1)) examples/mp/mp.h examples/mp/work.h $(EXAMPLES_SUPPORT)
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	$$(MP_CC) $(call mp_march,$(1)-$(2)) -O2 -Wall -Wextra -Werror -DMARK_DENSITY=$(2) -Iexamples/mp -S $$< -o $$@
endef
$(foreach program,$(MP_PROGRAMS),$(foreach density,$(MP_DENSITIES),$(eval $(call MP_RULE,$(program),$(density)))))
$(MP_DIR)/%.bare.elf: $(MP_DIR)/%.s
	$(call say,TARGET,$@)
	$(MP_CC) $(call mp_march,$(@F)) -Wa,--defsym,EARSHOT_NO_MARKS=1 $< -o $@
$(MP_DIR)/%.pad.elf: $(MP_DIR)/%.s
	$(call say,TARGET,$@)
	$(MP_CC) $(call mp_march,$(@F)) -Wa,--defsym,EARSHOT_MARK_PAD=25 $< -o $@
$(MP_NAMES:%=$(MP_DIR)/%.elf): %.elf: %.s
	$(call say,TARGET,$@)
	$(MP_CC) $(call mp_march,$(@F)) $< -o $@

$(MP_DIR)/%.o: tests/mp/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(HOST_CFLAGS) -c $< -o $@
-include $(wildcard $(MP_DIR)/*.d)

# $(1): test, $(2): what it needs
define MP_TEST_RULE
$(MP_TESTS_DIR)/$(1): tests/mp/rules.mk | $(2)
	$$(call say,GEN,$$@)
	@mkdir -p $$(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) CROSS=$(CROSS) exec $(PYTHON) tests/mp/$(1).py\n' > $$@ && chmod +x $$@
TESTS += $(MP_TESTS_DIR)/$(1)
endef
$(eval $(call MP_TEST_RULE,truth,$(B)/earshot $(MP_ELF)))
$(eval $(call MP_TEST_RULE,claims,$(MP_ELF)))
$(eval $(call MP_TEST_RULE,what_if,$(B)/earshot $(MP_ELF)))
$(eval $(call MP_TEST_RULE,command,$(B)/earshot $(MP_ELF)))

# More marks than a slow probe can tell.
$(MP_DIR)/long.elf: examples/mp/stencil.c examples/mp/mp.h examples/mp/work.h $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	$(MP_CC) -O2 -DMARK_DENSITY=2 -DSTEPS=400u -Iexamples/mp $< -o $@
$(eval $(call MP_TEST_RULE,losses,$(B)/earshot $(MP_ELF) $(MP_DIR)/long.elf))

# Traces of all programs, densities and numbers of cores, marked and true: make traces, in $(B)/mp/traces
.PHONY: traces
traces: $(B)/earshot $(MP_ELF)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/mp/truth.py $(MP_DIR)/traces

MP_NET_TESTS := templates recovery program sweep
$(MP_NET_TESTS:%=$(MP_DIR)/%_test.o) $(MP_DIR)/run_net.o: CPPFLAGS += -DTESTS_BUILD='"$(B)"'
$(MP_NET_TESTS:%=$(MP_TESTS_DIR)/%): $(MP_TESTS_DIR)/%: $(MP_DIR)/%_test.o $(MP_DIR)/run_net.o $(B)/libearshot.a $(B)/earshot $(MP_ELF)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(B)/libearshot.a $$(pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(MP_NET_TESTS:%=$(MP_TESTS_DIR)/%)

# All programs, densities, costs, latencies and numbers of cores, of which `make test` takes some; SWEEP="PROGRAM CORES LATENCY DENSITY KIND" is one
# of them, with every event that is not true.
soak-mp: $(MP_TESTS_DIR)/sweep
	$< $(or $(SWEEP),all)
soak: soak-mp
.PHONY: soak-mp

# The pictures of docs/compensation.md, from real runs.
.PHONY: pictures
pictures: $(B)/earshot $(MP_DIR)/pipeline-1.elf
	scripts/pictures $(B) docs/pictures
