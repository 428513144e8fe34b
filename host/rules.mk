# libearshot.a: all of host/ but the command line. It stands alone: real probes and recordings need nothing else. `earshot` is the command
# line on top of it and of the simulation (sim/rules.mk links it).

HOST_PKGS := libdw libelf libftdi1 libusb-1.0 libxml-2.0 libzstd jansson zlib
HOST_CFLAGS := $(shell pkg-config --cflags $(HOST_PKGS))
HOST_LIBS := $(shell pkg-config --libs $(HOST_PKGS)) -lpthread -lstdc++
# what stands on the simulation, too, is linked with the programs
HOST_SRC := $(filter-out host/cli/% host/daemon/% host/client/% host/access/% host/terminal/%,$(wildcard host/*/*.c host/*/*/*.c))
CLI_SRC := $(wildcard host/access/*.c host/client/*.c host/terminal/*.c host/cli/*.c host/cli/*/*.c)
# the daemon's own libraries are no business of the others
DAEMON_PKGS := libuv inih libsystemd
DAEMON_CFLAGS := $(shell pkg-config --cflags $(DAEMON_PKGS))
DAEMON_LIBS := $(shell pkg-config --libs $(DAEMON_PKGS))
DAEMON_SRC := $(wildcard host/access/*.c host/daemon/*.c)
# the full screen of `earshot top`; traces of others for `earshot infer`
CLI_LIBS := $(shell pkg-config --libs ncursesw babeltrace2)
CLI_CFLAGS := $(shell pkg-config --cflags babeltrace2)
HOST_OBJ := $(HOST_SRC:%.c=$(B)/%.o) $(B)/gen/report_page.o
CLI_OBJ := $(CLI_SRC:%.c=$(B)/%.o)
DAEMON_OBJ := $(DAEMON_SRC:%.c=$(B)/%.o)

# The same objects make the static and the shared library. What calls what inside it is settled when it is linked.
$(HOST_OBJ): PIC := -fPIC -fno-semantic-interposition
$(HOST_OBJ): host/rules.mk
$(B)/host/%.o: host/%.c $(B)/gen/probe_defs.h $(B)/gen/cpu_cycles.h | $(B)/gen/rv32_defs.h $(B)/gen/version.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(PIC) $(CPPFLAGS) $(HOST_CFLAGS) -c $< -o $@

# The page of `earshot report`, styles and scripts in the order of their names, as texts in C.
REPORT_PAGE := host/export/html/page.html $(sort $(wildcard host/export/html/style/*.css)) $(sort $(wildcard host/export/html/script/*.js))
$(B)/gen/report_page.c: scripts/embed-page $(REPORT_PAGE)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	scripts/embed-page $(REPORT_PAGE) > $@
$(B)/gen/report_page.o: $(B)/gen/report_page.c
	$(call say,CC,$<)
	$(CC) $(CFLAGS) $(PIC) $(CPPFLAGS) -c $< -o $@

$(B)/libearshot.a: $(HOST_OBJ) $(FIRMWARE_OBJ)
	$(call say,AR,$@)
	rm -f $@ && ar rcs $@ $^

$(CLI_OBJ): HOST_CFLAGS += $(CLI_CFLAGS)

-include $(HOST_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(DAEMON_OBJ:.o=.d)
