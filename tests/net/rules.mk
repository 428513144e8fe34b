# Nets: simulation and recovery. The formats, checks and commands of nets are tested in rules of their own.

NET_TEST_DIR := $(B)/tests/net
NET_CORE_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard host/net/model/*.c host/net/recovery/*.c) host/base/arena.c host/base/error.c)
NET_TEST_HELP := $(addprefix $(NET_TEST_DIR)/,random_net.o random_calls.o paper_rules.o net_of.o life.o worlds.o)

$(NET_TEST_DIR)/%.o: tests/net/%.c
	$(call say,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CPPFLAGS) -Itests/net -Itests/support -c $< -o $@

NET_TESTS := $(addprefix $(NET_TEST_DIR)/,test_engine test_recovery test_recovery_limits test_silent test_random test_spins test_lost)
$(NET_TESTS): %: %.o $(NET_TEST_HELP) $(NET_CORE_OBJ)
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(shell pkg-config --libs check)
TESTS += $(NET_TESTS)

$(NET_TEST_DIR)/test_lost_calls: %: %.o $(NET_TEST_HELP) $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(shell pkg-config --libs check) $(HOST_LIBS)
TESTS += $(NET_TEST_DIR)/test_lost_calls

$(NET_TEST_DIR)/bench: $(NET_TEST_DIR)/bench.o $(B)/libearshot.a
	$(call say,LD,$@)
	$(CC) $(CFLAGS) $^ -o $@ $(HOST_LIBS)

# Ten times the nets of `make test`, other ones; or the one with SEED.
soak-net: $(NET_TEST_DIR)/test_random
	$< $(if $(SEED),1 $(SEED),10000 1001)
soak-spins: $(NET_TEST_DIR)/test_spins
	$< $(if $(SEED),1 $(SEED),20000 1001)
soak-lost: $(NET_TEST_DIR)/test_lost $(NET_TEST_DIR)/test_lost_calls
	for test in $^; do $$test $(if $(SEED),1 $(SEED),6000 1001) || exit 1; done
soak: soak-net soak-spins soak-lost
.PHONY: soak-net soak-spins soak-lost

bench-net: $(NET_TEST_DIR)/bench $(B)/earshot
	$< $(B)/earshot
BENCH += bench-net
.PHONY: bench-net
-include $(wildcard $(NET_TEST_DIR)/*.d)
