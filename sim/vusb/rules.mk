# The virtual FT2232H (vusb.h). A program that uses it: list $(VUSB_OBJ) as prerequisites, add $(VUSB_LIBS) to its link line, run it under
# umockdev-wrapper. $(VUSB_SIM_OBJ) connects it to the simulated probe.
VUSB_CFLAGS := $(shell pkg-config --cflags umockdev-1.0)
VUSB_LIBS := $(shell pkg-config --libs umockdev-1.0 gobject-2.0) -lpthread
VUSB_OBJ := $(addprefix $(B)/sim/vusb/,vusb.o usbfs.o chip.o ftdi_model.o)
VUSB_SIM_OBJ := $(B)/sim/vusb/sim_port.o

$(VUSB_OBJ) $(VUSB_SIM_OBJ): $(B)/sim/vusb/%.o: sim/vusb/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) $(VUSB_CFLAGS) -c $< -o $@

-include $(VUSB_OBJ:.o=.d) $(VUSB_SIM_OBJ:.o=.d)
