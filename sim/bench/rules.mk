# `make bench`: figures on the terminal, and the same in $(B)/bench.json.
BENCH_SRC := $(wildcard sim/bench/*.c)
BENCH_OBJ := $(patsubst %.c,$(B)/%.o,$(filter-out %/isolated.c,$(BENCH_SRC)))

$(BENCH_OBJ): $(B)/sim/bench/%.o: sim/bench/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(BENCH_OBJ:.o=.d)
$(B)/sim/bench/isolated.elf: sim/bench/isolated.c $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -Og -Wall -Wextra -Werror $< -o $@
$(B)/sim/bench/computing.elf: tests/cores/workload.c tests/cores/say.h $(EXAMPLES_SUPPORT)
	$(call say,TARGET,$@)
	@mkdir -p $(@D)
	CROSS=$(CROSS) scripts/target-cc -O2 -Wall -Wextra -Werror -DROUNDS=1000 $< -o $@
$(B)/sim/bench/sim-bench: $(BENCH_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(BENCH_OBJ) -o $@ $(SIM_LIBS)

.PHONY: bench-sim
bench-sim: $(B)/sim/bench/sim-bench $(B)/earshot $(B)/examples/thermostat-Og.elf $(B)/sim/bench/isolated.elf $(B)/sim/bench/computing.elf
	$< $(B)/earshot $(B)/examples/thermostat-Og.elf examples/thermostat/thermostat.watch $(B)/sim/bench/isolated.elf $(B)/bench.json $(B)/sim/bench/computing.elf
BENCH += bench-sim
