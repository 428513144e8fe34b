# Nets as files, their analysis, traces and the command line `earshot net`. Simulation and recovery: tests/net.

NET_FILES_DIR := $(B)/tests/net_files
NET_FILES_TESTS := $(patsubst tests/net_files/%.c,$(NET_FILES_DIR)/%,$(wildcard tests/net_files/test_*.c))
NET_FILES_OBJ := $(patsubst %.c,$(B)/%.o,$(wildcard $(patsubst %,host/net/%/*.c,analysis formats model timeline) \
  host/store/ctf*.c host/store/packet.c host/store/tsdl.c host/base/*.c))

$(NET_FILES_TESTS): $(NET_FILES_DIR)/%: tests/net_files/%.c tests/net_files/compare.h tests/support/check_main.h $(NET_FILES_OBJ)
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(filter-out -MMD -MP,$(CPPFLAGS)) -Itests/support -Itests/net_files $< $(NET_FILES_OBJ) -o $@ \
	  $(shell pkg-config --libs check libxml-2.0) -lm

$(addprefix $(NET_FILES_DIR)/,net-command net-recover): $(NET_FILES_DIR)/%: tests/net_files/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/net_files/$(subst -,_,$*).py\n' > $@ && chmod +x $@
$(NET_FILES_DIR)/net-lines: tests/net_files/rules.mk | $(B)/earshot
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/net_files/net_lines.py\n' > $@ && chmod +x $@
TESTS += $(NET_FILES_TESTS) $(addprefix $(NET_FILES_DIR)/,net-command net-recover net-lines)

# Coverage-guided fuzzing of the readers, for FUZZ_SECONDS each.
FUZZ_SECONDS ?= 60
NET_FILES_FUZZ := $(addprefix $(NET_FILES_DIR)/,fuzz_pnml fuzz_tina fuzz_trace)
NET_FILES_FUZZ_SRC := $(wildcard $(patsubst %,host/net/formats/%*.c,pnml tina trace)) host/net/formats/format.c \
  host/net/model/model.c host/net/model/finish.c host/net/model/priority.c \
  host/base/arena.c host/base/error.c host/base/text.c host/base/json.c
$(NET_FILES_FUZZ): $(NET_FILES_DIR)/%: tests/net_files/%.c $(NET_FILES_FUZZ_SRC)
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	  -Ihost $(HOST_CFLAGS) $^ -o $@ $(shell pkg-config --libs libxml-2.0) -lm

fuzz-net: $(NET_FILES_FUZZ)
	for kind in pnml tina trace; do \
	  mkdir -p $(NET_FILES_DIR)/corpus-$$kind && \
	  $(NET_FILES_DIR)/fuzz_$$kind $(FUZZ_LIMIT) -max_len=8192 -dict=tests/net_files/$$kind.dict \
	    -artifact_prefix=$(NET_FILES_DIR)/ $(NET_FILES_DIR)/corpus-$$kind tests/net_files/nets || exit 1; \
	done
.PHONY: fuzz-net
FUZZ += net
fuzzers: $(NET_FILES_FUZZ)
