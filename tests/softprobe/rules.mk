# Tests of host/softprobe.
SOFTPROBE_TEST_DIR := $(B)/tests/softprobe
$(SOFTPROBE_TEST_DIR)/%.o: tests/softprobe/%.c $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -DTESTS_BUILD='"$(B)"' -c $< -o $@
-include $(wildcard $(SOFTPROBE_TEST_DIR)/*.d)

# Against the RTL.
$(SOFTPROBE_TEST_DIR)/compare: $(addprefix $(SOFTPROBE_TEST_DIR)/,compare.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
$(SOFTPROBE_TEST_DIR)/against-rtl: tests/softprobe/rules.mk | $(SOFTPROBE_TEST_DIR)/compare $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/softprobe/against_rtl.py\n' > $@ && chmod +x $@
TESTS += $(SOFTPROBE_TEST_DIR)/against-rtl

# Against the core's model, and what the host may do to it.
SOFTPROBE_CHECKS := $(addprefix $(SOFTPROBE_TEST_DIR)/,model commands session)
$(SOFTPROBE_TEST_DIR)/model: $(SOFTPROBE_TEST_DIR)/model_check.o $(B)/tests/core/model.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) $(B)/libearshot.a -o $@ $$(pkg-config --libs check) $(HOST_LIBS)
$(SOFTPROBE_TEST_DIR)/commands: $(addprefix $(SOFTPROBE_TEST_DIR)/,commands_check.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
$(SOFTPROBE_TEST_DIR)/session: $(addprefix $(SOFTPROBE_TEST_DIR)/,session_check.o sides.o plain.o) $(patsubst host/%.c,$(B)/host/%.o,$(wildcard host/access/*.c)) \
  $(B)/libearshot-sim.a $(B)/libearshot.a | $(EXAMPLES_ELF)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $$(pkg-config --libs check) $(SIM_LIBS)
TESTS += $(SOFTPROBE_CHECKS)

$(SOFTPROBE_TEST_DIR)/bench: $(addprefix $(SOFTPROBE_TEST_DIR)/,bench.o sides.o) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS)
bench-softprobe: $(SOFTPROBE_TEST_DIR)/bench $(EXAMPLES_ELF)
	$<
BENCH += bench-softprobe
.PHONY: bench-softprobe
