# Example programs, each at three levels of optimisation: $(B)/examples/NAME-O0.elf, -Og.elf, -O2.elf; EXAMPLES_ELF lists them.
EXAMPLES := thermostat recursion interrupts nested tasks
EXAMPLES_LEVELS := O0 Og O2
EXAMPLES_NAMES := $(foreach name,$(EXAMPLES),$(EXAMPLES_LEVELS:%=$(name)-%.elf))
EXAMPLES_ELF := $(addprefix $(B)/examples/,$(EXAMPLES_NAMES))
EXAMPLES_SUPPORT := scripts/target-cc scripts/gen-defs interface/probe.def $(wildcard examples/target/*)

# $(1): program, $(2): level, $(3): folder, $(4): for which instruction set, if that is another one than target-cc's own
define EXAMPLES_RULE
$(3)/$(1)-$(2).elf: $(wildcard examples/$(1)/*.[ch]) $(EXAMPLES_SUPPORT)
	$$(call say,TARGET,$$@)
	@mkdir -p $$(@D)
	CROSS=$(CROSS) scripts/target-cc $(if $(4),-march=$(4)) -$(2) -Wall -Wextra -Werror $$(filter examples/$(1)/%.c,$$^) -o $$@
endef
# $(1): folder, $(2): instruction set
EXAMPLES_RULES = $(foreach name,$(EXAMPLES),$(foreach level,$(EXAMPLES_LEVELS),$(eval $(call EXAMPLES_RULE,$(name),$(level),$(1),$(2)))))
# For the simulated target, where that has another processor: docs/attach-core.md.
$(call EXAMPLES_RULES,$(B)/examples,$(SIM_ISA))
ifdef SIM_CHOICES
$(EXAMPLES_ELF): $(B)/sim/choices
endif

examples: $(EXAMPLES_ELF)
all: examples
.PHONY: examples

# With a DMA device, for the target with shared memory.
DMA_ELF := $(EXAMPLES_LEVELS:%=$(B)/examples/dma-%.elf)
$(foreach level,$(EXAMPLES_LEVELS),$(eval $(call EXAMPLES_RULE,dma,$(level),$(B)/examples,rv32imc_zicsr_zifencei)))
examples: $(DMA_ELF)

# Programs with threads, for the target with shared memory: $(B)/examples/threads/NAME.elf
THREADS_PROGRAMS := sor pipeline producer forkjoin convoy readwrite urgent
THREADS_LIBRARY := $(addprefix examples/threads/,kernel.c objects.c switch.S)
THREADS_ELF := $(THREADS_PROGRAMS:%=$(B)/examples/threads/%.elf)
$(THREADS_ELF): $(B)/examples/threads/%.elf: examples/threads/%.c $(THREADS_LIBRARY) $(wildcard examples/threads/*.h) $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -march=rv32imc_zicsr_zifencei -O2 -Wall -Wextra -Werror $(if $(filter urgent,$*),-DTHREADS_PRIORITIES=3) $< $(THREADS_LIBRARY) -o $@
examples: $(THREADS_ELF)
