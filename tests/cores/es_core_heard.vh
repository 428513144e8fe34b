  /* What the probe hears of a foreign processor, and what goes to the log of its instructions. With ES_CORE_RETIRED it is what the
   * retire port (core_...: RVFI) says, through es_tap_rvfi; with ES_CORE_FOLLOWED what es_follow makes of the bus of es_core_system.vh,
   * held against that port; else that bus itself. The node defines ALIGNED,
   * READ_MASKS and BY_CODE as es_tap_rvfi means them, and read_lanes: the bytes that the access on its bus concerns. */
`ifdef ES_CORE_RETIRED
  wire [2:0]  tx_valid;
  wire [5:0]  tx_kind;
  wire [95:0] tx_addr, tx_data;
  wire [11:0] tx_lanes;
  wire        empty, overrun;

  es_tap_rvfi #(.ALIGNED(ALIGNED), .READ_MASKS(READ_MASKS), .BY_CODE(BY_CODE),
    .COMPRESSED(`ES_CORE_COMPRESSED)) tap (
    .clk(clk), .rst(rst), .rvfi_valid(core_valid), .rvfi_trap(core_trap), .rvfi_insn(core_insn),
    .rvfi_pc_rdata(core_pc_rdata), .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_mem_addr(core_mem_addr),
    .rvfi_mem_rmask(core_mem_rmask), .rvfi_mem_wmask(core_mem_wmask),
    .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  // The log hears of an instruction when the probe has, so that both have the same times.
  localparam LOG_W = 32 * 6 + 13;
  wire [LOG_W-1:0] logged;
  es_core_stream #(.LOG_W(LOG_W)) stream (
    .clk(clk), .rst(rst), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .log_in({core_insn, core_pc_rdata, core_pc_wdata, core_rd_addr, core_rd_wdata, core_mem_addr,
      core_mem_rmask, core_mem_wmask, core_mem_wdata}),
    .log_valid(rvfi_valid), .log_out(logged),
    .bus_valid(bus_valid), .bus_fetch(bus_fetch), .bus_addr(bus_addr), .bus_wdata(bus_wdata),
    .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata), .empty(empty),
    .overrun(overrun)
  );

  // The instruction that ends the program retires after its access.
  localparam [4:0] LAST = 5'd31;
  reg [4:0] since_end;
  always @(posedge clk)
    since_end <= rst || !ended ? 5'd0 : since_end == LAST ? LAST : since_end + 5'd1;

  assign bus_ready = 1'b1;
  assign exited    = since_end == LAST && empty && !overrun;
  assign trapped   = core_stopped || overrun;
  wire unused_heard = &{1'b0, read_lanes};
`else
  localparam LOG_W = 32 * 6 + 13;
  wire [LOG_W-1:0] logged = {core_insn, core_pc_rdata, core_pc_wdata, core_rd_addr, core_rd_wdata,
    core_mem_addr, core_mem_rmask, core_mem_wmask, core_mem_wdata};
  assign rvfi_valid = core_valid;
  assign exited     = ended;
`ifdef ES_CORE_FOLLOWED
  `include "es_core_followed.vh"
`else
  assign bus_valid = mem_valid;
  assign bus_ready = mem_ready;
  assign bus_fetch = mem_fetch;
  assign bus_addr  = mem_addr;
  assign bus_wdata = mem_wdata;
  assign bus_wstrb = mem_wstrb;
  assign bus_lanes = mem_wstrb != 4'd0 ? mem_wstrb : read_lanes;
  assign bus_rdata = mem_rdata;
  assign trapped   = core_stopped;
  wire unused_heard = &{1'b0, core_trap, core_rs1_rdata, core_mem_rdata, READ_MASKS[0],
    BY_CODE[0]};
`endif
`endif

  // ---- the log: words and their lanes; an interrupt is what comes from elsewhere than the last went ----
  wire [31:0] log_addr, log_wdata;
  wire [3:0]  log_rmask, log_wmask;
  wire [1:0]  log_up = ALIGNED != 0 ? 2'd0 : log_addr[1:0];
  assign {rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_rd_addr, rvfi_rd_wdata, log_addr, log_rmask,
    log_wmask, log_wdata} = logged;
  assign rvfi_mem_addr  = {log_addr[31:2], 2'd0};
  assign rvfi_mem_rmask = log_rmask << log_up;
  assign rvfi_mem_wmask = log_wmask << log_up;
  assign rvfi_mem_wdata = log_wdata << {log_up, 3'd0};

  reg [31:0] log_next;
  reg        log_some;
  always @(posedge clk) begin
    if (rvfi_valid) begin
      log_next <= rvfi_pc_wdata;
      log_some <= 1'b1;
    end
    if (rst)
      log_some <= 1'b0;
  end
  assign rvfi_intr = log_some && rvfi_pc_rdata != log_next;
