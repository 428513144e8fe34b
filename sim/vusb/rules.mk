# The virtual FT2232H (vusb.h). A program that uses it: list $(VUSB_OBJ) as prerequisites, add $(VUSB_LIBS) to its link line, run it under
# umockdev-wrapper. $(VUSB_SIM_OBJ) connects it to the simulated probe.
VUSB_CFLAGS := $(shell pkg-config --cflags umockdev-1.0)
VUSB_LIBS := $(shell pkg-config --libs umockdev-1.0 gobject-2.0) -lpthread
VUSB_OBJ := $(addprefix $(B)/sim/vusb/,vusb.o bus.o announce.o usbfs.o chip.o faults.o usb_model.o ftdi_model.o bulk_model.o)
VUSB_SIM_OBJ := $(B)/sim/vusb/sim_port.o

$(VUSB_OBJ) $(VUSB_SIM_OBJ): $(B)/sim/vusb/%.o: sim/vusb/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(VUSB_CFLAGS) -c $< -o $@

-include $(VUSB_OBJ:.o=.d) $(VUSB_SIM_OBJ:.o=.d)

# virtual-probe: simulated probes at virtual USB devices, for other programs (scripts/virtual-probe starts it).
VIRTUAL_OBJ := $(addprefix $(B)/sim/virtual/,main.o serve.o commands.o board.o disguise.o)

$(VIRTUAL_OBJ): $(B)/sim/virtual/%.o: sim/virtual/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(VUSB_CFLAGS) -c $< -o $@

$(B)/virtual-probe: $(VIRTUAL_OBJ) $(VUSB_OBJ) $(B)/libearshot-sim.a $(B)/libearshot.a | $(B)/libearshot-vusb.so
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ $(SIM_LIBS) $(VUSB_LIBS)

# Preloaded into programs that know nothing of it, so without sanitizers, which would have to come first.
$(B)/libearshot-vusb.so: sim/vusb/preload.c sim/vusb/announce.h
	$(call say,LD,$@)
	$(CC) $(filter-out -fsanitize%,$(CFLAGS)) $(filter-out -MMD -MP,$(CPPFLAGS)) -fPIC -shared $< -o $@ -ldl

-include $(VIRTUAL_OBJ:.o=.d)
