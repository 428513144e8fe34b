`resetall
`timescale 1ns/1ps
`default_nettype none

// A byte of a stream is held for a clock: so what makes it and what takes it need not fit into one.
// No clock is lost between bytes.
module es_link_step (
  input  wire       clk,
  input  wire       rst,
  input  wire       in_valid,
  input  wire [7:0] in_byte,
  input  wire       in_last,
  output wire       in_ready,
  output reg        out_valid,
  output reg  [7:0] out_byte,
  output reg        out_last,
  input  wire       out_ready
);
  assign in_ready = !out_valid || out_ready;

  always @(posedge clk) begin
    if (in_ready) begin
      out_valid <= in_valid;
      out_byte  <= in_byte;
      out_last  <= in_last;
    end
    if (rst) out_valid <= 1'b0;
  end
endmodule

`resetall
