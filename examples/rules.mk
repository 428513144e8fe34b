# Example programs, each at three levels of optimisation: $(B)/examples/NAME-O0.elf, -Og.elf, -O2.elf; EXAMPLES_ELF lists them.
EXAMPLES := thermostat recursion interrupts nested tasks
EXAMPLES_LEVELS := O0 Og O2
EXAMPLES_ELF := $(foreach name,$(EXAMPLES),$(EXAMPLES_LEVELS:%=$(B)/examples/$(name)-%.elf))
EXAMPLES_SUPPORT := scripts/target-cc scripts/gen-defs interface/probe.def $(wildcard examples/target/*)

# $(1): program, $(2): level
define EXAMPLES_RULE
$(B)/examples/$(1)-$(2).elf: $(wildcard examples/$(1)/*.[ch]) $(EXAMPLES_SUPPORT)
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	CROSS=$(CROSS) scripts/target-cc -$(2) -Wall -Wextra -Werror $$(filter examples/$(1)/%.c,$$^) -o $$@
endef
$(foreach name,$(EXAMPLES),$(foreach level,$(EXAMPLES_LEVELS),$(eval $(call EXAMPLES_RULE,$(name),$(level)))))

examples: $(EXAMPLES_ELF)
all: examples
.PHONY: examples
