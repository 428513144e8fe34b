# Images: address maps, PPAT, limits. Objects are made by the rules of tests/firmware.
IMAGE_TEST := $(B)/tests/image/image
$(IMAGE_TEST): $(B)/tests/image/test_image.o $(B)/tests/image/fake_symbols.o $(B)/tests/image/trees.o $(FIRMWARE_TEST_LIBS)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
TESTS += $(IMAGE_TEST)

IMAGE_AUTOMATON := $(B)/tests/image/automaton
$(IMAGE_AUTOMATON): $(B)/tests/image/test_automaton.o $(addprefix $(B)/host/,image/paths/automaton.o lang/match.o base/arena.o base/error.o)
	$(call say,LD,$@)
	$(CC) $(SAN) $^ -lcheck -lsubunit -lm -lrt -lpthread -o $@
TESTS += $(IMAGE_AUTOMATON)
