# earshotd, driven from outside.
DAEMON_TEST_DIR := $(B)/tests/daemon
$(DAEMON_TEST_DIR)/daemon: tests/daemon/rules.mk | $(B)/earshot $(B)/earshotd $(CLI_TEST_ELF) $(EXAMPLES_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/daemon/daemon.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(DAEMON_TEST_DIR)/daemon
ALONE += $(DAEMON_TEST_DIR)/daemon

# Coverage-guided fuzzing of the protocol and the configuration, for FUZZ_SECONDS each.
DAEMON_FUZZ := $(addprefix $(DAEMON_TEST_DIR)/,fuzz_protocol fuzz_config)
DAEMON_FUZZ_BASE := $(wildcard host/base/*.c)
$(DAEMON_TEST_DIR)/fuzz_protocol: $(addprefix host/,$(addprefix daemon/,batch.c client.c ended.c peers.c request.c requests.c run_options.c runs.c watch.c) access/choice.c) \
  $(wildcard host/record/*.c) sim/sim_options.c
$(DAEMON_TEST_DIR)/fuzz_config: host/daemon/config.c
$(DAEMON_FUZZ): $(DAEMON_TEST_DIR)/%: tests/daemon/%.c $(DAEMON_FUZZ_BASE) $(B)/gen/probe_defs.h $(B)/gen/version.h
	$(call say,FUZZ,$@)
	@mkdir -p $(@D)
	clang -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -Ihost -Iinterface -Isim -I$(B)/gen $(HOST_CFLAGS) $(DAEMON_CFLAGS) \
	  -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined $(filter %.c,$^) -o $@ $(DAEMON_LIBS) -ljansson -lm
fuzz-daemon: $(DAEMON_FUZZ)
	@mkdir -p $(addprefix $(DAEMON_TEST_DIR)/corpus_,protocol config)
	cp packaging/systemd/earshotd.conf $(DAEMON_TEST_DIR)/corpus_config/
	printf ' %s\n' '{"do":"watch","program":"p","program_data":"f0VMRg==","statements":[{"file":"a","text":"x>3"}],"probe":"sim","id":1}' \
	  '{"do":"join","run":1,"form":"record"}' '{"do":"runs"}' '{"do":"stop","run":"sim"}' > $(DAEMON_TEST_DIR)/corpus_protocol/a_run
	for kind in protocol config; do \
	  $(DAEMON_TEST_DIR)/fuzz_$$kind $(FUZZ_LIMIT) -max_len=4096 -dict=tests/daemon/$$kind.dict -artifact_prefix=$(DAEMON_TEST_DIR)/ \
	    $(DAEMON_TEST_DIR)/corpus_$$kind || exit 1; done
.PHONY: fuzz-daemon
FUZZ += daemon
fuzzers: $(DAEMON_FUZZ)
$(DAEMON_TEST_DIR)/unplug: tests/daemon/rules.mk | $(B)/earshot $(B)/earshotd $(B)/virtual-probe $(CLI_TEST_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/daemon/unplug.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(DAEMON_TEST_DIR)/unplug
ALONE += $(DAEMON_TEST_DIR)/unplug
$(DAEMON_TEST_DIR)/clocks: tests/daemon/rules.mk | $(B)/earshot $(B)/earshotd $(B)/virtual-probe $(CLI_TEST_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/daemon/clocks.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(DAEMON_TEST_DIR)/clocks
ALONE += $(DAEMON_TEST_DIR)/clocks
$(DAEMON_TEST_DIR)/together: tests/daemon/rules.mk | $(B)/earshot $(B)/earshotd $(B)/virtual-probe $(CLI_TEST_ELF)
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#!/bin/sh\nEARSHOT_BUILD=$(B) exec $(PYTHON) tests/daemon/together.py "$$@"\n' > $@ && chmod +x $@
TESTS += $(DAEMON_TEST_DIR)/together
ALONE += $(DAEMON_TEST_DIR)/together

# From the probe to a client's screen.
bench-latency: $(B)/earshot $(B)/earshotd $(B)/virtual-probe $(CLI_TEST_ELF)
	EARSHOT_BUILD=$(B) $(PYTHON) tests/daemon/latency.py
.PHONY: bench-latency
BENCH += bench-latency
