# Tests of rtl/link: modules in Verilator against the host's codec and against models of what the pins lead to.

LINK_TEST_DIR := $(B)/tests/link
LINK_VERILATE = $(VERILATOR) --cc --exe --build -j 1 $(VFLAGS) -MAKEFLAGS "CXX='ccache g++'" \
  -CFLAGS "-std=c++17 -O1 -Wall -Wextra -Werror $(foreach d,host interface,-I$(CURDIR)/$(d)) -I$(CURDIR)/$(B)/gen"

$(LINK_TEST_DIR)/link: tests/link/link_bench.cpp $(LINK_RTL) $(B)/host/stream/frame.o $(DEFS)
	@mkdir -p $(@D)
	$(LINK_VERILATE) --assert --Mdir $@.d --prefix Ves_link --top-module es_link $(LINK_RTL) $(CURDIR)/$< \
	  $(CURDIR)/$(B)/host/stream/frame.o $(if $(SAN),-LDFLAGS "$(SAN)") -o ../link > $@.log 2>&1 || { cat $@.log; exit 1; }

TESTS += $(LINK_TEST_DIR)/link
