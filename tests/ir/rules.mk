# The monitor IR: each pass by small texts, random code through all of them, and the code of real statements.
IR_TEST_DIR := $(B)/tests/ir
IR_TEST_LIBS := $(patsubst %.c,$(B)/%.o,$(wildcard host/ir/*.c)) $(addprefix $(B)/host/base/,arena.o text.o error.o)
IR_TEST_COMPARE := $(IR_TEST_DIR)/checker.o $(IR_TEST_DIR)/compare.o $(addprefix $(B)/tests/predicates/,rv32_model.o rv32c_model.o)

$(IR_TEST_DIR)/%.o: CPPFLAGS += -Itests/support
$(IR_TEST_DIR)/%.o: tests/ir/%.c $(B)/gen/probe_defs.h
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@
$(IR_TEST_DIR)/cases: $(IR_TEST_DIR)/test_cases.o $(IR_TEST_DIR)/reader.o $(IR_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
$(IR_TEST_DIR)/random: $(IR_TEST_DIR)/test_random.o $(IR_TEST_COMPARE) $(IR_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
-include $(wildcard $(IR_TEST_DIR)/*.d)
TESTS += $(IR_TEST_DIR)/cases $(IR_TEST_DIR)/random

# Images of real programs: with all of the library.
$(IR_TEST_DIR)/test_images.o: CPPFLAGS += -DTESTS_BUILD='"$(B)"'
$(IR_TEST_DIR)/images: $(IR_TEST_DIR)/test_images.o $(IR_TEST_COMPARE) $(B)/libearshot.a | $(EXAMPLES_ELF)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ -lcheck -lsubunit -lm -lrt $(HOST_LIBS)
TESTS += $(IR_TEST_DIR)/images
