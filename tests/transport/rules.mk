# Tests of host/transport. The FTDI backend runs against the virtual FT2232H, under umockdev-wrapper.

TRANSPORT_DIR := $(B)/tests/transport
TRANSPORT_LIBS := $(shell pkg-config --libs check)
TRANSPORT_COMMAND_OBJ := $(addprefix $(B)/host/,transport/command.o transport/file.o stream/frame.o stream/decoder.o base/error.o)

$(TRANSPORT_DIR)/%.o: tests/transport/%.c $(B)/gen/probe_defs.h
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(wildcard $(TRANSPORT_DIR)/*.d)

$(TRANSPORT_DIR)/ftdi-check: $(TRANSPORT_DIR)/ftdi_check.o $(VUSB_OBJ) $(B)/host/transport/ftdi.o $(B)/host/base/error.o
	$(CC) $(SAN) $^ -o $@ $(TRANSPORT_LIBS) $(VUSB_LIBS) $(HOST_LIBS)

$(TRANSPORT_DIR)/command: $(TRANSPORT_DIR)/command_check.o $(TRANSPORT_COMMAND_OBJ)
	$(CC) $(SAN) $^ -o $@ $(TRANSPORT_LIBS)

# Check must not fork: the test bed and its threads belong to one process.
$(TRANSPORT_DIR)/ftdi: $(TRANSPORT_DIR)/ftdi-check
	printf '#!/bin/sh\nCK_FORK=no exec umockdev-wrapper $<\n' > $@ && chmod +x $@

TESTS += $(TRANSPORT_DIR)/command $(TRANSPORT_DIR)/ftdi
