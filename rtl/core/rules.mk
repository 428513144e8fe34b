# The probe's core. CORE_RTL: its files; PROBE_RTL: everything that es_probe and the taps before it need.
CORE_RTL := $(addprefix rtl/core/,es_probe.v es_capture.v es_sync.v es_fifo_async.v es_pipeline.v es_expand.v es_phantom.v es_planes.v \
  es_plane.v es_bits.v es_ram.v es_ram_two.v es_spram.v es_hitq.v es_dispatch.v es_tracker.v es_recorder.v es_recorder_regs.v es_recorder_watch.v es_recorder_sums.v \
  es_recorder_bytes.v es_recorder_half.v es_recorder_fetches.v es_recorder_frames.v es_event_port.v es_outputs.v es_time_now.v es_regs.v es_soc.v es_soc_late.v)
PROBE_RTL = $(CORE_RTL) $(TAP_SHARED_RTL) $(CPU_RTL) $(LINK_RTL)

CORE_LINT_SETS := "" "-GTAPS=2 -GTIME_W=16 -GFIFO_LOG2=5 -GSWEEP=1" "-GSPRAM=1 -GTARGET_ADDR_W=16 -GTARGET_DATA_W=8 -GREAD_HITS=0 -GTIME_NOW=0" \
  "-GOUTPUTS=1 -GTAPS=8 -GWINDOW_BASE=65536 -GWINDOW_LOG2=10 -GTARGET_ADDR_W=20 -GHITQ_LOG2=1 -GTIME_W=24 -GTARGET_BIG_ENDIAN=1" \
  "-GTAPS=4 -GTIME_W=23" "-GPER_TAP=3" "-GTAPS=2 -GPER_TAP=3 -GFETCHES=2 -GCOMPRESSED=1 -GTRACKER=1" \
  "-GRECORDER=1 -GCOMPRESSED=1 -GTRACKER=1" "-GRECORDER=1 -GTARGET_ADDR_W=24 -GTIME_W=16 -GSPRAM=1 -GRECORD_LOG2=9" \
  "-GRECORDER=1 -GMONITOR=0" "-GRECORDER=1 -GMONITOR=0 -GTARGET_ADDR_W=16 -GSPRAM=1 -GTIME_NOW=0"

LINT += lint-core
.PHONY: lint-core
lint-core: $(DEFS)
	$(call say,LINT,core)
	for set in $(CORE_LINT_SETS); do \
	  $(VERILATOR) --lint-only $(VFLAGS) $$set --top-module es_probe $(PROBE_RTL) || exit 1; done

# LUT4 of the recorder for the iCE40 (bus addresses of 24 bits) and for the ECP5 (32, compressed instructions): `make synth-recorder`
RECORDER_RTL := $(filter rtl/core/es_recorder%,$(CORE_RTL))
synth-recorder: $(DEFS)
	$(call say,YOSYS,$@)
	@mkdir -p $(B)/rtl/core
	@for top in es_recorder es_recorder_frames; do \
	  yosys -q -p "read_verilog -DES_ICE40 -I$(B)/gen $(RECORDER_RTL); $$([ $$top = es_recorder ] && echo 'chparam -set ADDR_W 24 es_recorder;') \
	    synth_ice40 -abc9 -device u -top $$top; tee -o $(B)/rtl/core/$$top.ice40 stat; design -reset; \
	    read_verilog -I$(B)/gen $(RECORDER_RTL); $$([ $$top = es_recorder ] && echo 'chparam -set COMPRESSED 1 es_recorder;') \
	    synth_ecp5 -abc9 -nowidelut -top $$top; tee -o $(B)/rtl/core/$$top.ecp5 stat" > $(B)/rtl/core/$$top.log 2>&1 || { cat $(B)/rtl/core/$$top.log; exit 1; }; \
	  for family in ice40 ecp5; do \
	    awk -v name="$$top, $$family" '/(SB_|^ *)LUT4/ {lut += $$2} /FF|SB_DFF/ {ff += $$2} /SB_RAM|DP16KD/ {ram += $$2} \
	      END {printf "%s: %d LUT4, %d flip-flops, %d block RAMs\n", name, lut, ff, ram}' $(B)/rtl/core/$$top.$$family; done; done
.PHONY: synth-recorder
