  /* The processor's bus, followed: what the probe hears with ES_CORE_FOLLOWED. It is what es_tap_rvfi makes of the retire port,
   * transaction by transaction: a difference, or anything told as missed, ends the run. (An access bears how many fetches
   * have been told before it, so that the order between both is compared, too.) */
  wire        tx_valid, heard_valid;
  wire [1:0]  tx_kind, heard_kind;
  wire [31:0] tx_addr, tx_data, heard_addr, heard_data;
  wire [3:0]  tx_lanes, heard_lanes;
  es_tap_memvalid tap (
    .clk(clk), .rst(rst), .bus_valid(mem_valid), .bus_ready(mem_ready), .bus_fetch(mem_fetch), .bus_addr(mem_addr),
    .bus_wdata(mem_wdata), .bus_rdata(mem_rdata), .bus_wstrb(mem_wstrb), .bus_lanes(read_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );
  es_follow follow (
    .clk(clk), .rst(1'b0), .target_rst(rst), .bus_asks(mem_valid), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes), .fl_valid(heard_valid), .fl_kind(heard_kind), .fl_addr(heard_addr),
    .fl_data(heard_data), .fl_lanes(heard_lanes)
  );

  wire heard_missed = heard_valid && heard_kind == 2'd3, heard_fetch = heard_valid && heard_kind == 2'd2;
  assign bus_valid = heard_valid && !heard_missed;
  assign bus_ready = 1'b1;
  assign bus_fetch = heard_fetch;
  assign bus_addr  = heard_addr;
  assign bus_wdata = heard_data;
  assign bus_rdata = heard_data;
  assign bus_lanes = heard_lanes;
  assign bus_wstrb = heard_kind == 2'd1 ? heard_lanes : 4'd0;

  wire [2:0]  done_valid;
  wire [5:0]  done_kind;
  wire [95:0] done_addr, done_data;
  wire [11:0] done_lanes;
  es_tap_rvfi #(.ALIGNED(ALIGNED), .READ_MASKS(1), .BY_CODE(BY_CODE)) port (
    .clk(clk), .rst(rst), .rvfi_valid(core_valid), .rvfi_trap(core_trap), .rvfi_insn(core_insn), .rvfi_pc_rdata(core_pc_rdata),
    .rvfi_rs1_rdata(core_rs1_rdata), .rvfi_mem_addr(core_mem_addr), .rvfi_mem_rmask(core_mem_rmask),
    .rvfi_mem_wmask(core_mem_wmask), .rvfi_mem_rdata(core_mem_rdata), .rvfi_mem_wdata(core_mem_wdata),
    .tx_valid(done_valid), .tx_kind(done_kind), .tx_addr(done_addr), .tx_data(done_data), .tx_lanes(done_lanes)
  );

  function [31:0] bytes_of(input [31:0] data, input [3:0] lanes);
    bytes_of = {{8{lanes[3]}}, {8{lanes[2]}}, {8{lanes[1]}}, {8{lanes[0]}}} & data;
  endfunction
  wire      fetch_different, access_different;
  reg [7:0] fetches_heard, fetches_done;
  reg       missed_some;
  always @(posedge clk) begin
    fetches_heard <= rst ? 8'd0 : fetches_heard + {7'd0, heard_fetch};
    fetches_done  <= rst ? 8'd0 : fetches_done + {7'd0, done_valid[0]};
    missed_some   <= !rst && (missed_some || heard_missed || done_valid[2]);
  end
  es_core_same #(.WIDTH(64)) fetches (
    .clk(clk), .rst(rst), .a_valid(heard_fetch), .a({heard_addr, heard_data}),
    .b_valid(done_valid[0]), .b({done_addr[31:0], done_data[31:0]}), .different(fetch_different)
  );
  es_core_same #(.WIDTH(78)) accesses (
    .clk(clk), .rst(rst), .a_valid(heard_valid && !heard_kind[1]),
    .a({fetches_heard, heard_kind, heard_addr, bytes_of(heard_data, heard_lanes), heard_lanes}), .b_valid(done_valid[1]),
    .b({fetches_done + 8'd1, done_kind[3:2], done_addr[63:32], bytes_of(done_data[63:32], done_lanes[7:4]), done_lanes[7:4]}),
    .different(access_different)
  );
  assign trapped = core_stopped || missed_some || fetch_different || access_different;
  wire unused_heard = &{1'b0, READ_MASKS[0], mem_ready, done_kind, done_addr, done_data, done_lanes};
