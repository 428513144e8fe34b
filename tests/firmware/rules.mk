# The real firmware and images on a C model of the probe.
FIRMWARE_TEST_COMMON := $(B)/tests/firmware/model.o $(B)/tests/firmware/model_bus.o $(B)/tests/firmware/model_tracker.o $(B)/tests/firmware/harness.o $(B)/tests/firmware/pointers.o $(B)/tests/firmware/target.o $(B)/tests/image/fake_symbols.o $(B)/tests/image/trees.o \
  $(B)/tests/ir/checker.o $(B)/tests/ir/compare.o $(addprefix $(B)/tests/predicates/,rv32_model.o rv32c_model.o)
FIRMWARE_TESTS := $(foreach name,writes paths states locals losses expressions numbers elements actions events places snapshots arithmetic frames reads pointers pointed_before pointed_elements pointed_frames tasks switches lasting lasting_compound lasting_paths order lives,$(B)/tests/firmware/$(name))
FIRMWARE_TEST_LIBS := $(patsubst %.c,$(B)/%.o,$(wildcard host/image/*.c host/image/*/*.c host/ir/*.c host/isa/*.c host/isa/*/*.c)) $(B)/host/base/error.o $(B)/host/base/arena.o $(B)/host/base/text.o \
  $(B)/host/symbols/allocator.o $(B)/host/symbols/index.o $(B)/host/lang/features.o $(B)/host/lang/message.o $(B)/host/lang/match.o $(B)/host/lang/duration.o $(B)/host/lang/walk.o $(FIRMWARE_OBJ)

$(B)/tests/firmware/%.o $(B)/tests/image/%.o: CPPFLAGS += -Itests/support
# the soft core's clocks per instruction class, as the model counts them
$(B)/tests/firmware/cpu_cycles.h: interface/cpu_cycles.def
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	awk '!/^#/ && NF > 1 {print "#define CYCLES_" $$1, $$2}' $< > $@
$(B)/tests/firmware/model.o: CPPFLAGS += -I$(B)/tests/firmware
$(B)/tests/firmware/model.o: $(B)/tests/firmware/cpu_cycles.h
$(B)/tests/firmware/%.o: tests/firmware/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(B)/tests/image/%.o: tests/image/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(FIRMWARE_TESTS): $(B)/tests/firmware/%: $(B)/tests/firmware/test_%.o $(FIRMWARE_TEST_COMMON) $(FIRMWARE_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
TESTS += $(FIRMWARE_TESTS)
-include $(wildcard $(B)/tests/firmware/*.d $(B)/tests/image/*.d)
