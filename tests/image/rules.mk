# Images: address maps, PPAT, limits. Objects are made by the rules of tests/firmware.
IMAGE_TESTS := $(addprefix $(B)/tests/image/,image tables quiet map)
$(IMAGE_TESTS): $(B)/tests/image/%: $(B)/tests/image/test_%.o $(addprefix $(B)/tests/image/,blocks.o fake_symbols.o trees.o) $(FIRMWARE_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
TESTS += $(IMAGE_TESTS)

IMAGE_AUTOMATON := $(B)/tests/image/automaton
$(IMAGE_AUTOMATON): $(B)/tests/image/test_automaton.o $(addprefix $(B)/host/,image/paths/automaton.o lang/match.o base/arena.o base/error.o)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
TESTS += $(IMAGE_AUTOMATON)
