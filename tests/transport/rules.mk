# Tests of host/transport. The USB transports run against virtual devices, with the libraries preloaded that make these seen.

TRANSPORT_COMMA := ,
TRANSPORT_DIR := $(B)/tests/transport
TRANSPORT_LIBS := $(shell pkg-config --libs check)
TRANSPORT_COMMAND_OBJ := $(addprefix $(B)/host/,transport/command.o transport/file.o stream/frame.o stream/decoder.o base/error.o)

$(TRANSPORT_DIR)/%.o: tests/transport/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(wildcard $(TRANSPORT_DIR)/*.d)

TRANSPORT_USB_OBJ := $(addprefix $(B)/host/,$(addprefix transport/,ftdi.o bulk.o usb_transport.o bulk_reader.o usb_device.o hotplug.o holders.o) \
  base/error.o)
$(TRANSPORT_DIR)/ftdi-check: $(TRANSPORT_DIR)/ftdi_check.o $(TRANSPORT_DIR)/numbered.o $(VUSB_OBJ) $(TRANSPORT_USB_OBJ)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -o $@ $(TRANSPORT_LIBS) $(VUSB_LIBS) $(HOST_LIBS)

$(TRANSPORT_DIR)/reopen-check: $(TRANSPORT_DIR)/reopen_check.o $(TRANSPORT_DIR)/numbered.o $(VUSB_OBJ) $(TRANSPORT_USB_OBJ)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -o $@ $(TRANSPORT_LIBS) $(VUSB_LIBS) $(HOST_LIBS)

$(TRANSPORT_DIR)/command: $(TRANSPORT_DIR)/command_check.o $(TRANSPORT_COMMAND_OBJ)
	$(call say,LD,$@)
	$(CC) $(SAN) -Wl,--wrap=clock_gettime $^ -o $@ $(TRANSPORT_LIBS)

# What a pseudo-terminal cannot do, the test does in the place of these system calls.
$(TRANSPORT_DIR)/uart: $(TRANSPORT_DIR)/uart_check.o $(B)/host/transport/uart.o \
  $(addprefix $(B)/host/,transport/hotplug.o transport/usb_device.o transport/holders.o base/error.o)
	$(call say,LD,$@)
	$(CC) $(SAN) $(addprefix -Wl$(TRANSPORT_COMMA)--wrap=,ioctl poll glob) $^ -o $@ $(TRANSPORT_LIBS) $(HOST_LIBS)

# The simulator's and the host's libraries are known only after all rules are read.
.SECONDEXPANSION:
$(TRANSPORT_DIR)/probe_check.o: CPPFLAGS += -DPROGRAM='"$(B)/examples/thermostat-O0.elf"'
$(TRANSPORT_DIR)/probe-check: $(TRANSPORT_DIR)/probe_check.o $(VUSB_OBJ) $(VUSB_SIM_OBJ) $(addprefix $(B)/sim/virtual/,board.o disguise.o) $$(filter %.a,$$(SIM_LIBS)) \
  | $(B)/examples/thermostat-O0.elf
	$(call say,LD,$@)
	$(CC) $(SAN) $(filter %.o,$^) -o $@ $(TRANSPORT_LIBS) $(SIM_LIBS) $(VUSB_LIBS)

# It also starts earshot on an example.
$(TRANSPORT_DIR)/uart_probe_check.o: CPPFLAGS += -DEARSHOT_BUILD='"$(B)"'
$(TRANSPORT_DIR)/uart-probe: $(TRANSPORT_DIR)/uart_probe_check.o $$(filter %.a,$$(SIM_LIBS)) | $(B)/earshot $(B)/examples/thermostat-O0.elf $(B)/examples/thermostat-Og.elf
	$(call say,LD,$@)
	$(CC) $(SAN) $(filter %.o,$^) -o $@ $(TRANSPORT_LIBS) $(SIM_LIBS)

# Check must not fork: the test bed and its threads belong to one process. The address sanitizer would take what is preloaded for a mistake.
TRANSPORT_PRELOAD := LD_PRELOAD="$(abspath $(B))/libearshot-vusb.so libumockdev-preload.so.0"
$(TRANSPORT_DIR)/ftdi $(TRANSPORT_DIR)/reopen $(TRANSPORT_DIR)/probe: $(TRANSPORT_DIR)/%: $(TRANSPORT_DIR)/%-check $(B)/libearshot-vusb.so
	$(call say,GEN,$@)
	printf '#!/bin/sh\n%s exec $<\n' 'CK_FORK=no ASAN_OPTIONS=verify_asan_link_order=0 $(TRANSPORT_PRELOAD)' > $@ && chmod +x $@

TESTS += $(addprefix $(TRANSPORT_DIR)/,command ftdi reopen probe uart uart-probe)

$(TRANSPORT_DIR)/virtual-probe: tests/transport/rules.mk | $(B)/virtual-probe $(B)/earshot $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/transport/virtual_probe.py\n' > $@ && chmod +x $@
TESTS += $(TRANSPORT_DIR)/virtual-probe

$(TRANSPORT_DIR)/probes: tests/transport/rules.mk | $(B)/virtual-probe $(B)/earshot $(B)/earshotd $(B)/examples/thermostat-O0.elf
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/transport/probes.py\n' > $@ && chmod +x $@
TESTS += $(TRANSPORT_DIR)/probes
