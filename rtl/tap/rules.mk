# Taps. TAP_RTL: one tap a file (es_tap_axi has three more), and es_tap_queue, which some share, and what follows a tap; what all share is part of PROBE_RTL (rtl/core/rules.mk).
TAP_RTL := $(addprefix rtl/tap/,es_tap_memvalid.v es_tap_sram.v es_tap_rvfi.v es_tap_vexriscv.v es_tap_serv.v es_tap_wishbone.v es_tap_obi.v es_tap_ahb.v \
  es_tap_axi_lite.v es_tap_axi.v es_tap_axi_reads.v es_tap_axi_writes.v es_tap_axi_next.v es_tap_queue.v es_tap_merge.v es_tap_words.v es_follow.v)
TAP_SHARED_RTL := rtl/tap/es_tap_lanes.v
TAP_SYNC_RTL := rtl/core/es_sync.v # part of PROBE_RTL, too

# tap and parameters, in one word
TAP_WIDTHS := -GADDR_W=16:-GDATA_W=8 -GADDR_W=20:-GDATA_W=16:-GBIG_ENDIAN=1 -GADDR_W=32:-GDATA_W=32
TAP_LINT_SETS := $(foreach bus,$(TAP_WIDTHS),es_tap_memvalid:$(bus) es_tap_sram:$(bus) es_tap_wishbone:$(bus) es_tap_wishbone:-GPIPELINED=1:$(bus)) \
  es_tap_rvfi:-GALIGNED=0 es_tap_rvfi:-GALIGNED=1:-GREAD_MASKS=0 es_tap_rvfi:-GBY_CODE=1 es_tap_vexriscv: es_tap_vexriscv:-GATOMIC=1 es_tap_serv: \
  $(foreach tap,es_tap_obi es_tap_ahb es_tap_axi_lite es_tap_axi,$(tap): $(tap):-GADDR_W=16:-GBIG_ENDIAN=1) es_tap_merge: es_tap_words: es_tap_words:-GDATA_W=16 es_follow: es_follow:-GADDR_W=16:-GIRQ=1:-GSETTLE=3 es_tap_obi:-GOUTSTANDING=1 es_tap_axi_lite:-GOUTSTANDING=5 es_tap_axi:-GID_W=1:-GOUTSTANDING=2:-GBEATS=2:-GQUEUE=2 \
  es_tap_axi:-GOUTSTANDING=16:-GBEATS=256:-GQUEUE=256

LINT += lint-tap
.PHONY: lint-tap
lint-tap: $(DEFS)
	$(call say,LINT,tap)
	for set in $(TAP_LINT_SETS); do \
	  $(VERILATOR) --lint-only $(VFLAGS) --top-module $${set//:/ } $(TAP_RTL) $(TAP_SHARED_RTL) $(TAP_SYNC_RTL) || exit 1; done
