# The multi-core target: three Verilated models, of a processor, of the message device and of a probe for marks, in $(B)/libearshot-sim.a with the API of multi.h.
# SIM_CXX and its flags come from sim/rules.mk.
MULTI_MODELS := world_core target_messages world_marks
MULTI_world_core_RTL := sim/worlds/es_world_core.v $(addprefix sim/target/,es_target_node.v es_target_bus.v es_target_memory.v es_target_devices.v) \
  rtl/tap/es_tap_memvalid.v rtl/tap/es_tap_lanes.v rtl/tap/es_tap_mark.v $(CPU_RTL)
MULTI_world_marks_RTL := sim/worlds/es_world_marks.v sim/worlds/es_world_byte_in.v $(PROBE_RTL)
MULTI_target_messages_RTL := sim/target/es_target_messages.v

define MULTI_MODEL_RULES
$(B)/sim/multi/$(1)/model.cpp: $$(MULTI_$(1)_RTL) $(B)/gen/probe_defs.vh $$(wildcard sim/target/*.vh)
	$$(call say,VERILOG,$$@)
	rm -rf $$(@D) && mkdir -p $$(@D)
	$$(VERILATOR) --cc --prefix Ves_$(1) --top-module es_$(1) --Mdir $$(@D) $$(SIM_VERILATE) $$(SIM_VFLAGS) $$(MULTI_$(1)_RTL)
	for f in $$(@D)/Ves_*.cpp; do echo "#include \"$$$${f##*/}\""; done > $$@
$(B)/sim/multi/$(1)/model.o: $(B)/sim/multi/$(1)/model.cpp
	$$(call say,CXX,$$<)
	$$(SIM_CXX) $$(SIM_CXXFLAGS) -I$$(@D) -c $$< -o $$@
endef
$(foreach model,$(MULTI_MODELS),$(eval $(call MULTI_MODEL_RULES,$(model))))

# gcc's check for null pointers takes the thread-local variable in verilated.h for one.
MULTI_SAN := $(if $(SAN),-fno-sanitize=null)
$(B)/sim/multi/multi.o $(B)/sim/multi/marks_probe.o: $(B)/sim/multi/%.o: sim/multi/%.cpp $(MULTI_MODELS:%=$(B)/sim/multi/%/model.cpp) $(B)/gen/probe_defs.h
	$(call say,CXX,$<)
	@mkdir -p $(@D)
	$(SIM_CXX) $(SIM_SHIM_CXXFLAGS) $(MULTI_SAN) $(MULTI_MODELS:%=-isystem $(B)/sim/multi/%) -c $< -o $@

MULTI_OBJ := $(addprefix $(B)/sim/multi/,recorder.o calibration_run.o multi_port.o)
$(MULTI_OBJ): $(B)/sim/multi/%.o: sim/multi/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@

$(B)/libearshot-sim.a: $(B)/sim/multi/multi.o $(B)/sim/multi/marks_probe.o $(MULTI_OBJ) $(MULTI_MODELS:%=$(B)/sim/multi/%/model.o)
-include $(wildcard $(B)/sim/multi/*.d)

LINT += lint-multi
.PHONY: lint-multi
lint-multi: $(DEFS)
	$(call say,LINT,multi)
	$(VERILATOR) --lint-only -Wall $(SIM_VFLAGS) --top-module es_world_core $(MULTI_world_core_RTL)
	$(VERILATOR) --lint-only -Wall $(SIM_VFLAGS) --top-module es_world_marks $(MULTI_world_marks_RTL)
	$(VERILATOR) --lint-only -Wall $(SIM_VFLAGS) --top-module es_target_messages $(MULTI_target_messages_RTL)

# Speed: one program in which all cores compute nearly always, one in which they mostly wait.
MULTI_BENCH_ELF := $(B)/sim/multi/stencil.elf $(B)/sim/multi/ring.elf
$(MULTI_BENCH_ELF): $(B)/sim/multi/%.elf: examples/mp/%.c examples/mp/mp.h examples/mp/work.h $(wildcard examples/target/*) scripts/target-cc
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O2 -DSTEPS=100000u -DROUNDS=1000000u -Iexamples/mp $< -o $@
$(B)/sim/multi/speed: sim/bench_multi.c $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(CPPFLAGS) $< -o $@ $(B)/libearshot-sim.a $(B)/libearshot.a $(HOST_LIBS) -lstdc++ -lm
.PHONY: bench-multi
bench-multi: $(B)/sim/multi/speed $(MULTI_BENCH_ELF)
	$(B)/sim/multi/speed $(MULTI_BENCH_ELF)
BENCH += bench-multi
