# Tests of host/record.
RECORD_TEST_DIR := $(B)/tests/record
$(RECORD_TEST_DIR)/record: tests/record/test_record.c tests/support/check_main.h $(B)/libearshot.a
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support $< $(B)/libearshot.a -o $@ $(shell pkg-config --libs check) $(HOST_LIBS) -lm
TESTS += $(RECORD_TEST_DIR)/record
