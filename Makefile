# Earshot. `make help` lists the targets. Each room adds its own rules in a rules.mk.

SHELL := /bin/bash
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
B := build
ifeq ($(origin CC),default)
CC := gcc
endif
PYTHON := /usr/bin/python3
CROSS ?= riscv64-unknown-elf-
# SANITIZE=1: everything of the host with address and undefined-behaviour checks, in a build folder of its own
ifeq ($(SANITIZE),1)
B := build/san
SAN := -fsanitize=address,undefined -fno-sanitize-recover=undefined
endif
OPT ?= -O2
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla
CFLAGS := -std=c11 -D_GNU_SOURCE $(OPT) -g $(WARN) $(SAN)
CPPFLAGS := -Ihost -Iinterface -Isim -I$(B)/gen -MMD -MP
VERILATOR ?= verilator
VFLAGS := -Wall -DES_CHECKS -I$(B)/gen
# scripts/target-cc compiles what all programs have in common once
export TARGET_CC_CACHE := $(abspath $(B)/target-cc)
# of the program, its library and its pages; the only place that says it is the file
VERSION := $(shell cat VERSION)

# A line for each file that is made, or with V=1 the whole commands. $(call say,TOOL,FILE) is the first line of every recipe that makes one.
ifeq ($(V),1)
say =
else
say = @printf '  %-8s %s\n' '$(1)' '$(2)'
.SILENT:
endif

all: # the first target; rooms add to it

TESTS :=      # programs that print 'N passed, M failed' as their last line
ALONE :=      # those of them that nothing is to run beside
LINT :=       # phony targets that fail on any warning
BENCH :=      # phony targets that print figures
FUZZ :=       # fuzz-NAME is a phony target that fuzzes something; fuzzers: what these run
CLEAN := build
# what `make bitstream` can build
BOARDS := $(basename $(notdir $(wildcard rtl/boards/*.limits)))
SPACE := $(subst x,,x x)

DEFS := $(B)/gen/probe_defs.h $(B)/gen/probe_defs.vh
# What does not change keeps its time: all models of the hardware depend on it.
gen_defs = mkdir -p $(@D) && scripts/gen-defs $(1) $(filter %.def,$^) > $@.tmp && if cmp -s $@.tmp $@; then rm $@.tmp; else echo '  GEN      $@'; mv $@.tmp $@; fi
$(B)/gen/%_defs.h: interface/%.def scripts/gen-defs
	@$(call gen_defs,c)
# the hardware has all in one
$(B)/gen/probe_defs.vh: interface/probe.def interface/rv32.def scripts/gen-defs
	@$(call gen_defs,verilog)

$(B)/gen/version.h: VERSION
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	printf '#define ES_VERSION "%s"\n' "$$(cat $<)" > $@

# clocks per instruction class of es_cpu, the soft core and the reference target's processor: CYCLES_<class>
$(B)/gen/cpu_cycles.h: interface/cpu_cycles.def
	$(call say,GEN,$@)
	@mkdir -p $(@D)
	awk '!/^#/ && NF > 1 {print "#define CYCLES_" $$1, $$2}' $< > $@

# help, demo and clean work before anything is installed: they read no room's rules.
ifneq ($(filter-out help demo clean,$(or $(MAKECMDGOALS),all)),)
ifneq ($(words $(foreach tool,$(lastword $(CC)) pkg-config $(VERILATOR) yosys $(CROSS)gcc,$(shell command -v $(tool)))),5)
$(error tools are missing: scripts/install-deps names them, says what each is for, and installs them)
endif
include $(sort $(wildcard rtl/rules.mk rtl/*/rules.mk firmware/rules.mk host/rules.mk host/*/rules.mk include/rules.mk sim/rules.mk sim/*/rules.mk \
  examples/rules.mk packaging/rules.mk tests/rules.mk tests/*/rules.mk))
endif

# What the tests are told to run: all of them, or with ONE those that its names, folders or globs mean.
RUN_TESTS := scripts/run-tests --logs $(B)/logs --alone '$(ALONE)' $(if $(JOBS),-j $(JOBS))
CHOSEN := $(TESTS)
ifneq ($(filter test times,$(MAKECMDGOALS)),)
ifneq ($(ONE),)
CHOSEN := $(shell scripts/run-tests --list --only '$(ONE)' $(TESTS))
ifeq ($(CHOSEN),)
$(error ONE='$(ONE)' names no test)
endif
endif
endif
QUICK_SECONDS ?= 2
QUICK := $(if $(filter quick sanitize-tests,$(MAKECMDGOALS)),$(shell scripts/run-tests --list --quick $(QUICK_SECONDS) $(TESTS)))
# Models of the hardware are generated, and proofs have nothing to do with the host.
UNSANITIZED := core cpu link mutate tap
FUZZ_LIMIT = -max_total_time=$(FUZZ_SECONDS)

help:
	@printf '%s\n' \
	  'make            builds the host, its firmware, the simulation and the examples below $(B)/' \
	  'make demo       installs what is missing, builds, and watches a thermostat on a simulated target' \
	  'make test       builds and runs all tests; the last line says how many passed. ONE=tests/firmware: those of a folder,' \
	  '                a program or a glob; JOBS=4: so many at once; build/logs/ keeps what each says' \
	  'make quick      runs the short tests: less than a minute' \
	  'make test-cores runs tests with processors of others, from PyPI, in the simulated target'"'"'s place' \
	  'make sanitize   runs the short tests with address and undefined-behaviour checks, and the fuzzers on what they keep' \
  'make times      measures how long each test takes, for tests/times: ONE as above' \
	  'make riscv-tests  runs the programs of a checkout of riscv-tests: RISCV_TESTS=DIR' \
	  'make soak       compares more generated programs with the oracle: SOAK=number, SEED=one of them' \
	  'make campaign   disturbs earshot and its daemon in all ways at random moments: PARTS, SEED, CASES=number of each;' \
	  '                with SANITIZE=1 on programs that check themselves' \
	  'make lint       fails on any warning of the checkers for C, Verilog, Python and shell' \
	  'make format     lays out the C files as lint wants them' \
	  'make formal     proves properties of the RTL again (make test does so too)' \
	  'make fuzz       fuzzes the readers of ELF files, statements, nets and the probe'"'"'s bytes: FUZZ_SECONDS=60 each' \
	  'make mutate     plants small faults in the RTL and looks whether a test notices: ONE=module, MUTANTS=number' \
	  'make synth      prints what the soft core takes on iCE40 chips, and how fast it runs' \
	  'make bench      prints figures: simulation speed, time to the first hit, clocks to the link' \
  '                Parts of lint, fuzz, soak, bench, synth and formal have names of their own, as lint-words, fuzz-lang:' \
  '                make -pn | grep ^.PHONY names them all' \
	  'make bitstream  builds the FPGA configuration of one of these boards:' \
	  '                BOARD=$(BOARDS)' \
	  'make install    copies the program, the library, the manual, scripts/target-cc and what that needs to DESTDIR/PREFIX' \
	  '                ($(PREFIX)); LIBDIR=$(LIBDIR)' \
	  'make uninstall  removes what make install has put there: same DESTDIR and PREFIX' \
	  'make deb        makes Debian packages of what make install would copy, in $(B)/deb' \
	  'make clean      removes all that was built' \
	  'V=1             with any of them: shows the commands' \
	  'SANITIZE=1      with any of them: the host with address and undefined-behaviour checks, below build/san/' \
	  'scripts/install-deps names and installs the Debian packages that all this needs.'

DEMO := examples/thermostat/thermostat.watch
demo:
	scripts/install-deps
	@$(MAKE) --no-print-directory $(if $(findstring j,$(filter-out --%,$(MAKEFLAGS))),,-j$(shell nproc)) $(B)/earshot $(B)/examples/thermostat-O0.elf
	$(B)/earshot watch $(B)/examples/thermostat-O0.elf -s $(DEMO)

BOARD ?= icebreaker
ifneq ($(filter bitstream,$(MAKECMDGOALS)),)
ifeq ($(filter $(BOARD),$(BOARDS)),)
$(error there is no board '$(BOARD)': BOARD=$(subst $(SPACE), or ,$(BOARDS)))
endif
endif
bitstream: bitstream-$(BOARD)

test: $(if $(ONE),,all) $(CHOSEN)
	$(RUN_TESTS) $(CHOSEN)
quick: $(QUICK)
	$(RUN_TESTS) $(QUICK)
sanitize:
	$(MAKE) --no-print-directory SANITIZE=1 sanitize-tests
	$(MAKE) --no-print-directory fuzz FUZZ_LIMIT=-runs=0
SANITIZED := $(filter-out $(UNSANITIZED:%=$(B)/tests/%/%),$(QUICK))
sanitize-tests: $(SANITIZED)
	$(RUN_TESTS) $(SANITIZED)
# The times by which scripts/run-tests and `make quick` go: on a machine that does nothing else.
times: $(CHOSEN)
	$(RUN_TESTS) --record $(if $(ONE),--only '$(ONE)') $(TESTS)
lint: $(LINT)
bench: all $(BENCH)
formal: $(filter %/proof %/proofs %-proof,$(TESTS))
	$(RUN_TESTS) $(filter %/proof %/proofs %-proof,$(TESTS))
fuzz: $(FUZZ:%=fuzz-%)
synth: synth-cpu
clean:
	rm -rf $(CLEAN)

.PHONY: all test quick times sanitize sanitize-tests lint bench clean help install uninstall demo soak bitstream formal fuzz synth
.DELETE_ON_ERROR:
