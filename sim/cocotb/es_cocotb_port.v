// The probe's bytes for a cocotb test (python/earshot/cocotb.py), and the probe's reset: an instance of
// it beside es_probe is all that the host's side needs. Simulation only.
//
// Bytes come out, and go in, in packets of up to 64, because a look at a signal costs cocotb more than
// a byte is worth. The host's side writes the registers out_taken, in_bytes, in_count and in_put: no
// wire leads to them. Nothing depends on when it looks: a change of out_taken says that out_given bytes
// were taken, one of in_put that in_count bytes are there, while !in_busy.
`resetall
`timescale 1ns/1ps
`default_nettype none

module es_cocotb_port (
  input  wire       clk,          // of the probe
  output wire       rst,          // for the probe: active in its first clocks
  input  wire [7:0] tx_byte,      // from es_probe
  input  wire       tx_byte_valid,
  output wire       tx_byte_ready,
  output wire [7:0] rx_byte,      // to es_probe
  output wire       rx_byte_valid,
  input  wire       rx_byte_ready
);
  localparam [6:0] MOST = 7'd64;

  // written by the host's side
  reg         out_taken;
  reg [6:0]   out_given;
  reg [511:0] in_bytes; // the first one is lowest
  reg [6:0]   in_count;
  reg         in_put;

  // read by it
  reg [511:0] out_bytes;
  reg [6:0]   out_count;
  reg         out_seen;
  wire        in_busy;

  reg [511:0] in_shift;
  reg [6:0]   in_left;
  reg         in_seen;

  // ---- reset ----
  reg [3:0] clocks;
  initial begin
    clocks    = 4'd0;
    out_taken = 1'b0;
    out_given = 7'd0;
    in_bytes  = 512'd0;
    in_count  = 7'd0;
    in_put    = 1'b0;
    out_bytes = 512'd0;
    out_count = 7'd0;
    out_seen  = 1'b0;
    in_left   = 7'd0;
    in_seen   = 1'b0;
  end

  assign rst = clocks != 4'd15;
  always @(posedge clk) if (rst) clocks <= clocks + 4'd1;

  // ---- out ----
  wire         taken = out_seen != out_taken;
  wire [6:0]   kept = taken ? out_count - out_given : out_count;
  wire [511:0] kept_bytes = taken ? out_bytes >> {out_given, 3'd0} : out_bytes;

  assign tx_byte_ready = out_count != MOST;
  always @(posedge clk) begin
    out_seen  <= out_taken;
    out_count <= kept;
    out_bytes <= kept_bytes;
    if (tx_byte_valid && tx_byte_ready) begin
      out_count <= kept + 7'd1;
      out_bytes <= kept_bytes & ~(512'hFF << {kept, 3'd0}) | {504'd0, tx_byte} << {kept, 3'd0};
    end
  end

  // ---- in ----
  assign rx_byte       = in_shift[7:0];
  assign rx_byte_valid = in_left != 7'd0;
  assign in_busy       = in_left != 7'd0 || in_seen != in_put;
  always @(posedge clk) begin
    in_seen <= in_put;
    if (in_seen != in_put) begin
      in_left  <= in_count;
      in_shift <= in_bytes;
    end else if (rx_byte_valid && rx_byte_ready) begin
      in_left  <= in_left - 7'd1;
      in_shift <= in_shift >> 8;
    end
  end

  wire unused = &{1'b0, in_busy}; // here
endmodule

`resetall
