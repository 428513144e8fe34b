# Taps. TAP_RTL: their files, one tap a module.
TAP_RTL := $(addprefix rtl/tap/,es_tap_lanes.v es_tap_memvalid.v es_tap_sram.v)

LINT += lint-tap
.PHONY: lint-tap
lint-tap: $(DEFS)
	for bus in "-GADDR_W=16 -GDATA_W=8" "-GADDR_W=20 -GDATA_W=16 -GBIG_ENDIAN=1" "-GADDR_W=32 -GDATA_W=32"; do \
	  for tap in es_tap_memvalid es_tap_sram; do \
	    $(VERILATOR) --lint-only $(VFLAGS) $$bus --top-module $$tap $(TAP_RTL) || exit 1; done; done
