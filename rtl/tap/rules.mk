# Taps. TAP_RTL: one tap a file; what they share is part of PROBE_RTL (rtl/core/rules.mk).
TAP_RTL := $(addprefix rtl/tap/,es_tap_memvalid.v es_tap_sram.v es_tap_rvfi.v)
TAP_SHARED_RTL := rtl/tap/es_tap_lanes.v
TAP_SYNC_RTL := rtl/core/es_sync.v # part of PROBE_RTL, too

LINT += lint-tap
.PHONY: lint-tap
lint-tap: $(DEFS)
	$(call say,LINT,tap)
	for bus in "-GADDR_W=16 -GDATA_W=8" "-GADDR_W=20 -GDATA_W=16 -GBIG_ENDIAN=1" "-GADDR_W=32 -GDATA_W=32"; do \
	  for tap in es_tap_memvalid es_tap_sram; do \
	    $(VERILATOR) --lint-only $(VFLAGS) $$bus --top-module $$tap $(TAP_RTL) $(TAP_SHARED_RTL) $(TAP_SYNC_RTL) || exit 1; \
	  done; done
	for set in "-GALIGNED=0" "-GALIGNED=1 -GREAD_MASKS=0"; do \
	  $(VERILATOR) --lint-only $(VFLAGS) $$set --top-module es_tap_rvfi rtl/tap/es_tap_rvfi.v || exit 1; done
