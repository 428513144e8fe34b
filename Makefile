# Earshot. `make help` lists the targets. Each room adds its own rules in a rules.mk.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
B := build
CC ?= gcc
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
VFLAGS := -Wall -I$(B)/gen

all: # the first target; rooms add to it

TESTS :=      # programs that print 'N passed, M failed' as their last line
LINT :=       # phony targets that fail on any warning
BENCH :=      # phony targets that print figures
CLEAN := build

DEFS := $(B)/gen/probe_defs.h $(B)/gen/probe_defs.vh
$(B)/gen/probe_defs.h: interface/probe.def scripts/gen-defs
	@mkdir -p $(@D)
	scripts/gen-defs c $< > $@.tmp && mv $@.tmp $@
$(B)/gen/probe_defs.vh: interface/probe.def scripts/gen-defs
	@mkdir -p $(@D)
	scripts/gen-defs verilog $< > $@.tmp && mv $@.tmp $@

include $(sort $(wildcard rtl/rules.mk rtl/*/rules.mk firmware/rules.mk host/rules.mk host/*/rules.mk sim/rules.mk sim/*/rules.mk \
  examples/rules.mk tests/rules.mk tests/*/rules.mk))

test: all $(TESTS)
	scripts/run-tests $(TESTS)
lint: $(LINT)
bench: all $(BENCH)
clean:
	rm -rf $(CLEAN)

.PHONY: all test lint bench clean help install demo soak bitstream
.DELETE_ON_ERROR:
