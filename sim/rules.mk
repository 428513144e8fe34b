# The simulated worlds: Verilated models and a shim with the API of sim.h, in $(B)/libearshot-sim.a.
# A program that uses them: list $(B)/libearshot-sim.a $(B)/libearshot.a as prerequisites, and end its link line with $(SIM_LIBS).
SIM_LIBS := $(B)/libearshot-sim.a $(B)/libearshot.a $(HOST_LIBS) -lstdc++ -lm

SIM_WORLDS := bare bytes ft245 board sram shared
# What its fetches prove (docs/attach-core.md). Who puts another processor into the target has to say it.
ifneq ($(filter command line environment,$(origin SIM_TARGET_RTL)),)
SIM_FETCHES ?= $(error SIM_TARGET_RTL is another target: say what its fetches prove, with SIM_FETCHES=executed, \
  ahead or retired (docs/attach-core.md))
else
SIM_FETCHES ?= executed
endif
SIM_FETCHES_executed := ES_FETCHES_EXECUTED
SIM_FETCHES_ahead := ES_FETCHES_AHEAD
SIM_FETCHES_retired := ES_FETCHES_RETIRED
SIM_FETCHES_MACRO = $(or $(SIM_FETCHES_$(SIM_FETCHES)),$(error SIM_FETCHES is executed, ahead or retired, not '$(SIM_FETCHES)'))
# What its processor executes, as -march names it, where that is another one (sim/shim/isa.c).
SIM_ISA ?=
# 0: its bus does not say which bytes are read.
SIM_READ_HITS ?= 1
SIM_SAYS = -DES_SIM_FETCHES='`$(SIM_FETCHES_MACRO)' -DES_SIM_READ_HITS=$(SIM_READ_HITS)
SIM_TARGET_RTL := $(addprefix sim/target/,es_target.v es_target_node.v es_target_bus.v es_target_memory.v es_target_devices.v) $(CPU_RTL)
SIM_PROBE_RTL := sim/worlds/es_world_listener.v rtl/tap/es_tap_memvalid.v $(PROBE_RTL)
SIM_bare_RTL := sim/worlds/es_world_bare.v $(SIM_TARGET_RTL)
SIM_bytes_RTL := sim/worlds/es_world_bytes.v sim/worlds/es_world_byte_in.v $(SIM_PROBE_RTL)
SIM_ft245_RTL := $(sort sim/worlds/es_world_ft245.v $(SIM_TARGET_RTL) $(SIM_PROBE_RTL) rtl/link/es_ft245.v)
SIM_SERIAL_RTL := sim/worlds/es_world_serial.v $(SIM_TARGET_RTL) $(PROBE_RTL) rtl/link/es_uart.v
SIM_board_RTL := $(sort sim/worlds/es_world_board.v rtl/tap/es_tap_memvalid.v $(SIM_SERIAL_RTL))
SIM_sram_RTL := $(sort sim/worlds/es_world_sram.v rtl/tap/es_tap_sram.v rtl/tap/es_tap_words.v $(SIM_SERIAL_RTL))
# Eight processors side by side are more than an instruction cache holds: more optimisation makes it no faster, and longer to compile.
SIM_shared_CXXFLAGS := -O1
# The target with shared memory has es_cpu, whatever processor SIM_TARGET_RTL has.
SIM_shared_RTL := sim/worlds/es_world_shared.v $(addprefix sim/target/,es_target_shared.v es_target_shared_node.v es_target_shared_memory.v \
  es_target_locks.v es_target_waker.v es_target_dma.v es_target_arbiter.v es_target_bus.v es_target_devices.v) $(CPU_RTL)
SIM_HEADERS := $(wildcard sim/worlds/*.vh sim/target/*.vh) $(B)/gen/probe_defs.vh
# Only the target's retire port is connected, so the soft core's has open pins.
SIM_VFLAGS := -DES_CHECKS -I$(B)/gen -Isim/worlds -Isim/target -DRISCV_FORMAL -Wno-PINMISSING
# Warnings are lint-sim's business, not the build's.
SIM_VERILATE := -Wno-fatal -O3 --x-assign fast --x-initial fast --noassert --no-timing --output-split 0

# Models are not checked by the sanitizers: they are generated, and their clocks would be several times slower.
SIM_VINCLUDE := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
SIM_CXX := $(shell command -v ccache) $(CXX)
SIM_CXXFLAGS := -std=c++17 -O3 -fno-stack-protector -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVL_IGNORE_UNKNOWN_ARCH \
  -isystem $(SIM_VINCLUDE) -isystem $(SIM_VINCLUDE)/vltstd
SIM_SHIM_CXXFLAGS := $(SIM_CXXFLAGS) $(SAN) -Wall -Wextra -Werror -Wshadow -Ihost -Isim -I$(B)/gen -MMD -MP

SIM_OBJ := $(SIM_WORLDS:%=$(B)/sim/%/model.o) $(SIM_WORLDS:%=$(B)/sim/shim/%.o) $(B)/sim/shim/sim.o $(B)/sim/verilated.o \
  $(B)/sim/verilated_threads.o $(B)/sim/byte_port.o $(B)/sim/sim_options.o $(B)/sim/shim/isa.o

# A model and its shim: $(1) the folder, $(2) the world, $(3) its RTL, $(4) more flags of Verilator. Also for other processors in the
# target's place (tests/cores).
define SIM_MODEL_RULES
$(1)/$(2)/model.cpp: $(3) $$(SIM_HEADERS)
	$$(call say,VERILOG,$$@)
	rm -rf $$(@D) && mkdir -p $$(@D)
	$$(VERILATOR) --cc --prefix Ves_world_$(2) --top-module es_world_$(2) --Mdir $$(@D) $$(SIM_VERILATE) $$(SIM_VFLAGS) $(4) $(3)
	for f in $$(@D)/Ves_*.cpp; do echo "#include \"$$$${f##*/}\""; done > $$@
$(1)/$(2)/model.o: $(1)/$(2)/model.cpp
	$$(call say,CXX,$$<)
	$$(SIM_CXX) $$(SIM_CXXFLAGS) $$(SIM_$(2)_CXXFLAGS) -I$$(@D) -c $$< -o $$@
$(1)/shim/$(2).o: sim/shim/$(2).cpp $(1)/$(2)/model.cpp $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h
	$$(call say,CXX,$$<)
	@mkdir -p $$(@D)
	$$(SIM_CXX) $$(SIM_SHIM_CXXFLAGS) -isystem $(1)/$(2) -isystem $(1)/bare -isystem $(B)/sim/shared -c $$< -o $$@
endef
$(foreach world,$(SIM_WORLDS),$(eval $(call SIM_MODEL_RULES,$(B)/sim,$(world),$$(SIM_$(world)_RTL),$$(SIM_SAYS))))
# The world `sram` with the recorder in the monitor's place (rtl/boards/icebreaker.v), for programs that link these objects, too
$(eval $(call SIM_MODEL_RULES,$(B)/sim/recorder,sram,$(SIM_sram_RTL),$(SIM_SAYS) -GRECORDER=1))
SIM_RECORDER_OBJ := $(B)/sim/recorder/shim/sram.o $(B)/sim/recorder/sram/model.o
# The probe of the world `bytes` hears the bus of the model `bare` or `shared`.
$(B)/sim/shim/bytes.o: $(B)/sim/bare/model.cpp $(B)/sim/shared/model.cpp

$(B)/sim/shim/sim.o: sim/shim/sim.cpp $(B)/gen/probe_defs.h
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(SIM_CXX) $(SIM_SHIM_CXXFLAGS) -c $< -o $@
$(B)/sim/verilated.o $(B)/sim/verilated_threads.o: $(B)/sim/%.o: $(SIM_VINCLUDE)/%.cpp
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(SIM_CXX) $(SIM_CXXFLAGS) -c $< -o $@

$(B)/sim/byte_port.o $(B)/sim/sim_options.o: $(B)/sim/%.o: sim/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@

# $(1): the object; $(2): what the processor executes; $(3): -DES_SIM_BIG_ENDIAN where its data are big endian
define SIM_ISA_RULES
$(1): sim/shim/isa.c sim/sim.h sim/rules.mk $(B)/gen/probe_defs.h
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) $$(CPPFLAGS) $$(if $(2),-DES_SIM_ISA='"$(2)"') $(3) -c $$< -o $$@
endef
$(eval $(call SIM_ISA_RULES,$(B)/sim/shim/isa.o,$$(SIM_ISA)))

# What is said of another target is in the models: they are made anew when it changes.
ifneq ($(filter command line environment,$(origin SIM_TARGET_RTL)),)
SIM_CHOICES = $(SIM_FETCHES_MACRO) READ_HITS=$(SIM_READ_HITS) ISA=$(SIM_ISA) $(SIM_TARGET_RTL)
.PHONY: FORCE
$(B)/sim/choices: FORCE
	@mkdir -p $(@D)
	printf '%s\n' "$(SIM_CHOICES)" | cmp -s - $@ || printf '%s\n' "$(SIM_CHOICES)" | tee $@ > /dev/null
$(SIM_WORLDS:%=$(B)/sim/%/model.cpp) $(B)/sim/shim/isa.o: $(B)/sim/choices
endif

$(B)/libearshot-sim.a: $(SIM_OBJ)
	$(call say,AR,$@)
	rm -f $@ && ar rcs $@ $^

-include $(wildcard $(B)/sim/shim/*.d $(B)/sim/recorder/shim/*.d $(B)/sim/*.d)

# The command line, with the simulated probe in it.
ifneq ($(wildcard host/cli/main.c),)
$(B)/earshot: $(CLI_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(CLI_OBJ) -o $@ $(SIM_LIBS) $(CLI_LIBS)
all: $(B)/earshot
endif
$(B)/earshotd: $(DAEMON_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(DAEMON_OBJ) -o $@ $(SIM_LIBS) $(DAEMON_LIBS)
all: $(B)/earshotd

LINT += lint-sim
.PHONY: lint-sim
# es_ft245 resets some flip-flops asynchronously, from the reset that all others sample.
# What others have written (SIM_TARGET_RTL) is not ours to lint.
SIM_FOREIGN := $(filter-out sim/% rtl/%,$(SIM_TARGET_RTL))
lint-sim: $(DEFS)
	$(call say,LINT,sim)
	{ echo '`verilator_config'; for file in $(SIM_FOREIGN); do echo "lint_off -file \"$$file\""; done; \
	  $(if $(SIM_FOREIGN),echo 'lint_off -rule TIMESCALEMOD';) } > $(B)/gen/foreign.vlt
	for world in $(SIM_WORLDS); do \
	  case $$world in \
	    bare) files="$(SIM_bare_RTL)" ;; \
	    bytes) files="$(SIM_bytes_RTL)" ;; \
	    ft245) files="$(SIM_ft245_RTL)" ;; \
	    board) files="$(SIM_board_RTL)" ;; \
	    sram) files="$(SIM_sram_RTL)" ;; \
	    shared) files="$(SIM_shared_RTL)" ;; \
	  esac; \
	  $(VERILATOR) --lint-only -Wall -Wno-SYNCASYNCNET $(SIM_VFLAGS) $(SIM_SAYS) --top-module es_world_$$world $(B)/gen/foreign.vlt $$files || exit 1; \
	done
	$(VERILATOR) --lint-only -Wall sim/cocotb/es_cocotb_port.v

# For models of one's own (docs/attach-core.md): the files of the probe and of the taps.
.PHONY: probe-rtl
probe-rtl:
	@echo $(sort $(TAP_RTL) $(PROBE_RTL))
