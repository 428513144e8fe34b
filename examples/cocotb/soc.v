/* soc: a processor with its memory, and beside it Earshot's probe on the memory bus, for cocotb.
 *
 * It stands for a SoC of your own: put that in the place of es_target, and the tap for its bus in
 * the place of es_tap_memvalid (docs/attach-core.md). The probe's clock has eight edges for one of
 * the bus.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module soc (
  input  wire         rst_target, // of the processor, and of the bus that the tap hears

  output wire         bus_write,  // a write to memory takes place at the next edge of clk_bus, ...
  output wire [31:0]  write_addr, // ... to this word
  output wire         console_valid,
  output wire [7:0]   console_byte,
  output wire         exited
);

  // ---- clocks ----
  reg clk, clk_bus;
  initial begin
    clk     = 1'b0;
    clk_bus = 1'b0;
  end
  always #5 clk = !clk;
  always #40 clk_bus = !clk_bus;

  // ---- the processor and its bus ----
  wire        bus_valid, bus_ready, bus_fetch;
  wire [31:0] bus_addr, bus_wdata, bus_rdata;
  wire [3:0]  bus_wstrb, bus_lanes;

  es_target #(.CORES(1)) target (
    .clk(clk_bus), .rst(rst_target), .seed(32'd1),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(bus_wdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes), .bus_rdata(bus_rdata),
    .console_valid(console_valid), .console_byte(console_byte), .exited(exited)
  );

  assign bus_write  = bus_valid && bus_ready && bus_wstrb != 4'd0;
  assign write_addr = {bus_addr[31:2], 2'd0};

  // the program, as words in hexadecimal
  reg [8*256-1:0] image_file;
  initial begin
    if (!$value$plusargs("program=%s", image_file)) begin
      $display("soc: +program=FILE.hex is missing");
      $finish;
    end
    $readmemh(image_file, target.g_core[0].node.memory.words);
  end

  // ---- the probe ----
  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;
  wire        rst;
  wire [7:0]  tx_byte, rx_byte;
  wire        tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;

  es_tap_memvalid #(.ADDR_W(32), .DATA_W(32), .BIG_ENDIAN(0)) tap (
    .clk(clk_bus), .rst(rst_target),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch),
    .bus_addr(bus_addr), .bus_wdata(bus_wdata), .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb),
    .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_probe #(
    .FETCHES(`ES_FETCHES_EXECUTED), .COMPRESSED(1), .FIFO_LOG2(12), .HITQ_LOG2(4),
    .WINDOW_LOG2(18), .EVQ_LOG2(11)
  ) probe (
    .clk_tap(clk_bus), .rst_tap(rst_target),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk), .clk_cpu(clk),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  es_cocotb_port port (
    .clk(clk), .rst(rst),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

endmodule

`resetall
