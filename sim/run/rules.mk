# Runs on the target with shared memory: an API in $(B)/libearshot-sim.a, and the program shared-run.
$(B)/sim/run/shared_run.o: sim/run/shared_run.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(B)/libearshot-sim.a: $(B)/sim/run/shared_run.o
-include $(wildcard $(B)/sim/run/*.d)

SHARED_RUN := $(B)/shared-run
$(SHARED_RUN): sim/run/main.c $(B)/libearshot-sim.a $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(filter %.c,$^) -o $@ $(SIM_LIBS)
all: $(SHARED_RUN)
