`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_capture with one tap and a FIFO of 32 records that is read whenever it likes to be: every transaction comes out once, in order, with
// the time of its clock, or is counted by a mark of a loss that stands in its place, as is what a tap has missed; nothing is written without room. For as many clocks as it takes
// to fill the FIFO: how losses end is the core's benches' matter (tests/core/bench.cpp), which hold a model beside it for millions of clocks.
module capture_proof #(
  parameter MISSES = 0, // 1: the tap may have missed something
  parameter CLAIM  = 0 // 1: instead, that the FIFO is never nearly full: to be refuted
) (
  input wire        clk,
  input wire        valid,
  input wire [1:0]  kind,
  input wire [13:0] addr,
  input wire [31:0] data,
  input wire [3:0]  lanes,
  input wire        read
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg  [5:0]  held = 0;
  wire        wr_en;
  wire [31:0] time_low, wr_data;
  wire [7:0]  wr_time;
  wire [2:0]  wr_core;
  wire [1:0]  wr_kind;
  wire [3:0]  wr_lanes;
  wire [13:0] wr_addr;

  es_capture #(.TAPS(1), .TIME_W(8), .ADDR_W(16), .FIFO_LOG2(5)) capture (
    .clk(clk), .rst(rst), .tx_valid(valid), .tx_kind(kind), .tx_addr({16'd0, addr, 2'd0}), .tx_data(data), .tx_lanes(lanes),
    .time_low(time_low), .wr_room(6'd32 - held), .wr_en(wr_en), .wr_time(wr_time), .wr_core(wr_core), .wr_kind(wr_kind), .wr_lanes(wr_lanes),
    .wr_addr(wr_addr), .wr_data(wr_data)
  );

  // ---- one of the transactions, whichever: what it was, and what becomes of it ----
  (* anyconst *) reg [6:0] some;
  reg [6:0]  came = 0, accounted = 0;
  reg [7:0]  now = 0;
  reg [59:0] it;
  wire       gap = wr_en && wr_kind == 2'd3 && wr_lanes == 4'd1; // MARK_GAP_FIRST
  wire [6:0] done = !wr_en ? 0 : wr_kind != 2'd3 ? 1 : gap ? wr_data[6:0] : 0;

  always @(posedge clk) begin
    assume (!valid || kind != 2'd3 || MISSES != 0 && lanes == 4'd1);
    if (!rst) begin
      now <= now + 1'b1;
      if (valid) begin
        came <= came + 1'b1;
        if (came == some) it <= {now, kind, addr, data, lanes};
      end
      accounted <= accounted + done;
      held <= held + wr_en - (read && held != 0);
      if (CLAIM == 0) begin
        room: assert (!wr_en || held < 32);
        not_invented: assert (done <= came - accounted);
        loss_is_some: assert (!gap || wr_data != 0 && wr_data[31:7] == 0);
        if (wr_en && wr_kind != 2'd3 && accounted == some) as_it_came: assert ({wr_time, wr_kind, wr_addr, wr_data, wr_lanes} == it && wr_core == 0);
        not_told: assert (!wr_en || wr_kind == 2'd3 || accounted != some || it[51:50] != 2'd3);
        if (gap && accounted == some) since_then: assert (wr_time == it[59:52] || it[51:50] == 2'd3 && wr_time - it[59:52] <= 8'd4);
        the_time: assert (time_low == now);
      end else filled: assert (held < 30);
    end
  end
endmodule

`resetall
