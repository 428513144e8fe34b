`resetall
`timescale 1ns/1ps
`default_nettype none

// Stand-in for es_link in tests of the core: the loader's port is driven from the bench's ports.
module es_link #(
  parameter EVQ_LOG2 = 9,
  parameter STEP     = 1,
  parameter RECORDER = 0
) (
  input  wire        clk,
  input  wire        rst,
  input  wire        ev_push,
  input  wire [31:0] ev_data,
  input  wire        ev_end,
  output wire [15:0] ev_room,
  output wire        ld_req,
  output wire        ld_write,
  output wire [31:0] ld_addr,
  output wire [31:0] ld_wdata,
  input  wire        ld_ack,
  input  wire [31:0] ld_rdata,
  output wire [31:0] rx_bad,
  input  wire        rec_valid,
  input  wire [7:0]  rec_byte,
  input  wire        rec_last,
  output wire        rec_ready,
  output wire        idle,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);
  // What the soft core pushed last can be read back as ev_room and rx_bad, after a clock in which the link is not idle.
  reg [31:0] taken;
  reg [31:0] pushed;
  reg        busy;
  reg [15:0] ends;

  always @(posedge clk) begin
    busy <= ev_push;
    if (ev_push) taken <= ev_data;
    if (busy) pushed <= taken;
    if (ev_end) ends <= ends + 1'b1;
    if (rst) begin
      busy   <= 1'b0;
      pushed <= 0;
      ends   <= 0;
    end
  end

  assign ev_room       = ends;
  assign rx_bad        = pushed;
  assign ld_req        = es_core_bench.ld_req;
  assign ld_write      = es_core_bench.ld_write;
  assign ld_addr       = es_core_bench.ld_addr;
  assign ld_wdata      = es_core_bench.ld_wdata;
  assign rec_ready     = es_core_bench.rec_ready; // the bench takes the recorder's frames byte by byte
  assign idle          = !busy;
  assign tx_byte       = 8'd0;
  assign tx_byte_valid = 1'b0;
  assign rx_byte_ready = 1'b1;

  wire unused = &{1'b0, STEP != 0, RECORDER != 0, rec_valid, rec_byte, rec_last, EVQ_LOG2 == 0, ld_ack, ld_rdata, tx_byte_ready, rx_byte, rx_byte_valid};
endmodule

`resetall
