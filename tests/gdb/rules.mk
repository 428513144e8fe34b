# host/gdb: packets, movements, and the real gdb on a timeline of the tests' own (double.h) and on recordings.

GDB_TEST_DIR := $(B)/tests/gdb
GDB_TEST_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard host/gdb/*.c) host/replay/past.c host/replay/moment.c)
$(GDB_TEST_DIR)/double.o: tests/gdb/double.c tests/gdb/double.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
-include $(GDB_TEST_DIR)/double.d

$(GDB_TEST_DIR)/packet $(GDB_TEST_DIR)/double_gdb: $(GDB_TEST_DIR)/%: $(GDB_TEST_DIR)/double.o $(GDB_TEST_OBJ) $(B)/libearshot.a tests/support/check_main.h
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $(filter %.c %.o %.a,$^) -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
$(GDB_TEST_DIR)/packet: tests/gdb/test_packet.c
$(GDB_TEST_DIR)/double_gdb: tests/gdb/double_gdb.c

TESTS += $(GDB_TEST_DIR)/packet
