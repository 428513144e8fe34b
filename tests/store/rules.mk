# Traces on disk: the writer, the reader, what disturbs them.

STORE_TEST_DIR := $(B)/tests/store
STORE_TEST_HELP := $(addprefix $(STORE_TEST_DIR)/,made.o scratch.o faults.o)
$(STORE_TEST_DIR)/%.o: tests/store/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/store -Itests/support -c $< -o $@
STORE_TESTS := $(patsubst tests/store/%.c,$(STORE_TEST_DIR)/%,$(wildcard tests/store/test_*.c))
$(STORE_TESTS): %: %.o $(STORE_TEST_HELP) $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(STORE_TESTS)
-include $(wildcard $(STORE_TEST_DIR)/*.d)
$(STORE_TEST_DIR)/write-made: $(STORE_TEST_DIR)/write_made.o $(STORE_TEST_DIR)/made.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
$(STORE_TEST_DIR)/bench: $(STORE_TEST_DIR)/bench.o $(STORE_TEST_DIR)/made.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS) -lm
