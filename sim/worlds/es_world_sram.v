/* es_world_sram: es_world_board with the board's own tap, es_tap_sram at 8 bits. The target's bus
 * does not go to it: the shim makes accesses of single bytes of it and drives the pins (pin_), while
 * the target's clock waits.
 *
 * With RECORDER the board has the recorder in the monitor's place, and addresses have 32 bits, so that
 * accesses to devices are on the bus, too.
 *
 * clk_tap is the tap's clock, 48 MHz on the board, clk the probe's, 24 MHz; clk_bus the target's.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"
`define ES_WORLD_TARGET .CORES(1), .WAIT(0), .ROM_SIZE(32'h8000), .RAM_BASE(32'h8000), \
  .RAM_SIZE(32'h8000)

module es_world_sram #(
  parameter RECORDER = 0
) (
  input  wire        clk_bus,
  input  wire        rst_bus,
`include "es_world_ports.vh"
  ,
  output wire [31:0] bus_data,   // what is written or read
  output wire [3:0]  bus_bytes,  // which bytes of it
  input  wire        clk_tap,
  input  wire        rst_tap,
  output wire        pin_all,    // addresses beyond 64 KiB are on the pins
  input  wire [31:0] pin_addr,
  input  wire [7:0]  pin_data,
  input  wire        pin_rd_n,
  input  wire        pin_wr_n,
  input  wire        pin_fetch,
`include "es_world_serial_ports.vh"
);

`include "es_world_target.vh"

  assign bus_data  = |bus_wstrb ? bus_wdata : bus_rdata;
  assign bus_bytes = bus_lanes;

  reg rst_tap_now;
  always @(posedge clk_tap)
    rst_tap_now <= rst_tap;

  localparam ADDR_W = RECORDER != 0 ? 32 : 16;
  assign pin_all = RECORDER != 0;

  wire        part_valid, tx_valid;
  wire [1:0]  part_kind, tx_kind;
  wire [31:0] part_addr, part_data, tx_addr, tx_data;
  wire [3:0]  part_lanes, tx_lanes;

  // as in rtl/boards/icebreaker.v: pins are sampled in their pads
  reg [31:0] pad_addr;
  reg [7:0]  pad_data;
  reg        pad_rd_n, pad_wr_n, pad_fetch;
  always @(posedge clk_tap)
    {pad_addr, pad_data, pad_rd_n, pad_wr_n, pad_fetch} <=
      {pin_addr, pin_data, pin_rd_n, pin_wr_n, pin_fetch};

  es_tap_sram #(.ADDR_W(ADDR_W), .DATA_W(8), .PIN_REGISTERED(1)) tap (
    .clk(clk_tap), .rst(rst_tap_now),
    .pin_addr(pad_addr[ADDR_W-1:0]), .pin_data(pad_data), .pin_ce_n(1'b0), .pin_oe_n(pad_rd_n),
    .pin_we_n(pad_wr_n), .pin_lanes_n(1'b0), .pin_fetch(pad_fetch),
    .tx_valid(part_valid), .tx_kind(part_kind), .tx_addr(part_addr), .tx_data(part_data),
    .tx_lanes(part_lanes)
  );

  generate
    if (RECORDER != 0) begin : together
      es_tap_words #(.DATA_W(8)) words (
        .clk(clk_tap), .rst(rst_tap_now),
        .in_valid(part_valid), .in_kind(part_kind), .in_addr(part_addr), .in_data(part_data),
        .in_lanes(part_lanes),
        .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
        .tx_lanes(tx_lanes)
      );
    end else begin : apart
      assign {tx_valid, tx_kind, tx_addr, tx_data, tx_lanes} =
        {part_valid, part_kind, part_addr, part_data, part_lanes};
      wire unused = &{1'b0, pad_addr};
    end
  endgenerate

  es_world_serial #(.DATA_W(RECORDER != 0 ? 32 : 8), .ADDR_W(ADDR_W), .RECORDER(RECORDER)) serial (
    .clk_tap(clk_tap), .rst_tap(rst_tap_now),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_pipe(clk_pipe), .clk_soc(clk_soc), .clk_link(clk_link),
    .clk_cpu(clk_cpu),
    .calm(calm), .trigger(trigger), .halt(halt), .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake),
    .idle(idle), .recording(recording), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .rx_byte(rx_byte),
    .rx_put(rx_put), .rx_full(rx_full)
  );

endmodule

`resetall
