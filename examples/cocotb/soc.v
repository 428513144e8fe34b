/* soc: a processor with its memory, and beside it Earshot's probe on the memory bus, for cocotb.
 *
 * It stands for a SoC of your own: put that in the place of es_target, and the tap for its bus in
 * the place of es_tap_memvalid (docs/attach-core.md). The probe's clock has eight edges for one of
 * the bus. The probe's bytes come out, and go in, in packets of up to 64: earshot_probe.py moves
 * them, and one look at a signal costs cocotb more than a byte is worth.
 *
 * Prefixes: out_ is what comes from the probe, in_ what goes to it.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module soc (
  input  wire         rst,        // of the probe
  input  wire         rst_target, // of the processor, and of the bus that the tap hears

  output reg  [511:0] out_bytes,  // the first one is lowest
  output reg  [6:0]   out_count,
  input  wire         out_taken,  // changes: all of them were taken

  input  wire [511:0] in_bytes,
  input  wire [6:0]   in_count,
  input  wire         in_put,     // changes, while !in_busy: here are new ones
  output wire         in_busy,

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
  wire [7:0]  probe_out;
  wire        probe_out_valid, probe_in_ready;

  es_tap_memvalid #(.ADDR_W(32), .DATA_W(32), .BIG_ENDIAN(0)) tap (
    .clk(clk_bus), .rst(rst_target),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch),
    .bus_addr(bus_addr), .bus_wdata(bus_wdata), .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb),
    .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_probe #(
    .FETCHES(`ES_FETCHES_EXECUTED), .FIFO_LOG2(12), .HITQ_LOG2(4), .WINDOW_LOG2(18), .EVQ_LOG2(11)
  ) probe (
    .clk_tap(clk_bus), .rst_tap(rst_target),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk), .clk_cpu(clk),
    .tx_byte(probe_out), .tx_byte_valid(probe_out_valid), .tx_byte_ready(out_count != 7'd64),
    .rx_byte(in_shift[7:0]), .rx_byte_valid(in_left != 7'd0), .rx_byte_ready(probe_in_ready)
  );

  // ---- its bytes ----
  reg out_seen;
  always @(posedge clk) begin
    out_seen <= out_taken;
    if (rst) begin
      out_count <= 7'd0;
      out_bytes <= 512'd0;
    end else if (out_seen != out_taken) begin
      out_count <= probe_out_valid && out_count != 7'd64 ? 7'd1 : 7'd0;
      out_bytes <= {504'd0, probe_out};
    end else if (probe_out_valid && out_count != 7'd64) begin
      out_count                 <= out_count + 7'd1;
      out_bytes[8*out_count+:8] <= probe_out;
    end
  end

  reg [511:0] in_shift;
  reg [6:0]   in_left;
  reg         in_seen;
  assign in_busy = in_left != 7'd0 || in_seen != in_put;
  always @(posedge clk) begin
    in_seen <= in_put;
    if (rst) begin
      in_left <= 7'd0;
    end else if (in_seen != in_put) begin
      in_left  <= in_count;
      in_shift <= in_bytes;
    end else if (in_left != 7'd0 && probe_in_ready) begin
      in_left  <= in_left - 7'd1;
      in_shift <= in_shift >> 8;
    end
  end

endmodule

`resetall
