`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_capture: time has 56 bits, and no more are ever announced, so that hosts need not expect any. It takes 47 years to get there, so the
// registers of the time are free here (formal/prove): they hold something else in each clock.
module epoch_proof #(
  parameter TIME_W = 32
) (
  input wire        clk,
  input wire        valid,
  input wire [1:0]  kind,
  input wire [13:0] addr,
  input wire [31:0] data,
  input wire [3:0]  lanes,
  input wire [5:0]  room
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire              wr_en;
  wire [31:0]       time_low, wr_data;
  wire [TIME_W-1:0] wr_time;
  wire [2:0]        wr_core;
  wire [1:0]        wr_kind;
  wire [3:0]        wr_lanes;
  wire [13:0]       wr_addr;

  es_capture #(.TAPS(1), .TIME_W(TIME_W), .ADDR_W(16), .FIFO_LOG2(5)) capture (
    .clk(clk), .rst(rst), .tx_valid(valid), .tx_kind(kind), .tx_addr({16'd0, addr, 2'd0}), .tx_data(data), .tx_lanes(lanes),
    .time_low(time_low), .wr_room(room), .wr_en(wr_en), .wr_time(wr_time), .wr_core(wr_core), .wr_kind(wr_kind), .wr_lanes(wr_lanes),
    .wr_addr(wr_addr), .wr_data(wr_data)
  );

  wire announced = !rst && wr_en && wr_kind == 2'd3 && wr_lanes == 4'd0; // MARK_EPOCH

  always @(posedge clk) begin
    assume (!valid || kind != 2'd3);
    if (announced) fits: assert (wr_data >> (56 - TIME_W) == 0);
    last_one: cover (announced && wr_data == (1 << (56 - TIME_W)) - 1);
  end
endmodule

`resetall
