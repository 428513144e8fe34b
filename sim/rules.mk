# The simulated worlds: Verilated models and a shim with the API of sim.h, in $(B)/libearshot-sim.a.
# A program that uses them: list $(B)/libearshot-sim.a $(B)/libearshot.a as prerequisites, and end its link line with $(SIM_LIBS).
SIM_LIBS := $(B)/libearshot-sim.a $(B)/libearshot.a $(HOST_LIBS) -lstdc++ -lm

SIM_WORLDS := bare bytes ft245 board sram
SIM_TARGET_RTL := $(addprefix sim/target/,es_target.v es_target_node.v es_target_bus.v es_target_memory.v es_target_devices.v) $(CPU_RTL)
SIM_PROBE_RTL := sim/worlds/es_world_listener.v rtl/tap/es_tap_memvalid.v $(PROBE_RTL)
SIM_bare_RTL := sim/worlds/es_world_bare.v $(SIM_TARGET_RTL)
SIM_bytes_RTL := sim/worlds/es_world_bytes.v sim/worlds/es_world_byte_in.v $(SIM_PROBE_RTL)
SIM_ft245_RTL := $(sort sim/worlds/es_world_ft245.v $(SIM_TARGET_RTL) $(SIM_PROBE_RTL) rtl/link/es_ft245.v)
SIM_SERIAL_RTL := sim/worlds/es_world_serial.v $(SIM_TARGET_RTL) $(PROBE_RTL) rtl/link/es_uart.v
SIM_board_RTL := $(sort sim/worlds/es_world_board.v rtl/tap/es_tap_memvalid.v $(SIM_SERIAL_RTL))
SIM_sram_RTL := $(sort sim/worlds/es_world_sram.v rtl/tap/es_tap_sram.v $(SIM_SERIAL_RTL))
SIM_HEADERS := $(wildcard sim/worlds/*.vh) $(B)/gen/probe_defs.vh
# Only the target's retire port is connected, so the soft core's has open pins.
SIM_VFLAGS := -DES_CHECKS -I$(B)/gen -Isim/worlds -DRISCV_FORMAL -Wno-PINMISSING
# Warnings are lint-sim's business, not the build's.
SIM_VERILATE := -Wno-fatal -O3 --x-assign fast --x-initial fast --noassert --no-timing --output-split 0

# Models are not checked by the sanitizers: they are generated, and their clocks would be several times slower.
SIM_VINCLUDE := $(shell $(VERILATOR) --getenv VERILATOR_ROOT)/include
SIM_CXX := $(shell command -v ccache) $(CXX)
SIM_CXXFLAGS := -std=c++17 -O3 -fno-stack-protector -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVL_IGNORE_UNKNOWN_ARCH \
  -isystem $(SIM_VINCLUDE) -isystem $(SIM_VINCLUDE)/vltstd
SIM_SHIM_CXXFLAGS := $(SIM_CXXFLAGS) $(SAN) -Wall -Wextra -Werror -Wshadow -Ihost -Isim -I$(B)/gen -MMD -MP

SIM_OBJ := $(SIM_WORLDS:%=$(B)/sim/%/model.o) $(SIM_WORLDS:%=$(B)/sim/shim/%.o) $(B)/sim/shim/sim.o $(B)/sim/verilated.o \
  $(B)/sim/verilated_threads.o $(B)/sim/byte_port.o

define SIM_WORLD_RULES
$(B)/sim/$(1)/model.cpp: $$(SIM_$(1)_RTL) $$(SIM_HEADERS)
	$$(call say,VERILOG,$$@)
	rm -rf $$(@D) && mkdir -p $$(@D)
	$$(VERILATOR) --cc --prefix Ves_world_$(1) --top-module es_world_$(1) --Mdir $$(@D) $$(SIM_VERILATE) $$(SIM_VFLAGS) $$(SIM_$(1)_RTL)
	for f in $$(@D)/Ves_*.cpp; do echo "#include \"$$$${f##*/}\""; done > $$@
$(B)/sim/$(1)/model.o: $(B)/sim/$(1)/model.cpp
	$$(call say,CXX,$$<)
	$$(SIM_CXX) $$(SIM_CXXFLAGS) -I$$(@D) -c $$< -o $$@
$(B)/sim/shim/$(1).o: sim/shim/$(1).cpp $(B)/sim/$(1)/model.cpp $(B)/gen/probe_defs.h
	$$(call say,CXX,$$<)
	@mkdir -p $$(@D)
	$$(SIM_CXX) $$(SIM_SHIM_CXXFLAGS) -isystem $(B)/sim/$(1) -isystem $(B)/sim/bare -c $$< -o $$@
endef
$(foreach world,$(SIM_WORLDS),$(eval $(call SIM_WORLD_RULES,$(world))))
# The probe of the world `bytes` hears the bus of the model `bare`.
$(B)/sim/shim/bytes.o: $(B)/sim/bare/model.cpp

$(B)/sim/shim/sim.o: sim/shim/sim.cpp $(B)/gen/probe_defs.h
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(SIM_CXX) $(SIM_SHIM_CXXFLAGS) -c $< -o $@
$(B)/sim/verilated.o $(B)/sim/verilated_threads.o: $(B)/sim/%.o: $(SIM_VINCLUDE)/%.cpp
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(SIM_CXX) $(SIM_CXXFLAGS) -c $< -o $@

$(B)/sim/byte_port.o: sim/byte_port.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@

$(B)/libearshot-sim.a: $(SIM_OBJ)
	$(call say,AR,$@)
	rm -f $@ && ar rcs $@ $^

-include $(wildcard $(B)/sim/shim/*.d) $(B)/sim/byte_port.d

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
lint-sim: $(DEFS)
	$(call say,LINT,sim)
	for world in $(SIM_WORLDS); do \
	  case $$world in \
	    bare) files="$(SIM_bare_RTL)" ;; \
	    bytes) files="$(SIM_bytes_RTL)" ;; \
	    ft245) files="$(SIM_ft245_RTL)" ;; \
	    board) files="$(SIM_board_RTL)" ;; \
	    sram) files="$(SIM_sram_RTL)" ;; \
	  esac; \
	  $(VERILATOR) --lint-only -Wall -Wno-SYNCASYNCNET $(SIM_VFLAGS) --top-module es_world_$$world $$files || exit 1; \
	done

# For models of one's own (docs/attach-core.md): the files of the probe and of the taps.
.PHONY: probe-rtl
probe-rtl:
	@echo $(sort $(TAP_RTL) $(PROBE_RTL))
