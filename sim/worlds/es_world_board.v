/* es_world_board: the probe with the parameters that it has on the iCEBreaker, up to the serial
 * line, as Verilator's top. The target is one of 64 KiB: 32 KiB ROM at 0 and 32 KiB RAM after it.
 *
 * clk_bus is the tap's clock, 48 MHz on the board, clk the probe's, 24 MHz. A processor that a
 * probe of this size can follow takes some clocks of the tap for an access; this one takes 32.
 * Accesses beyond the 64 KiB, to devices, are not on the bus that the tap sees.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"
`define ES_WORLD_TARGET .CORES(1), .WAIT(31), .ROM_SIZE(32'h8000), .RAM_BASE(32'h8000), \
  .RAM_SIZE(32'h8000)

module es_world_board (
  input  wire        clk_bus,
  input  wire        rst_bus,
`include "es_world_ports.vh"
  ,
`include "es_world_serial_ports.vh"
);

`include "es_world_target.vh"

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  es_tap_memvalid #(.ADDR_W(16), .DATA_W(32), .BIG_ENDIAN(0)) tap (
    .clk(clk_bus), .rst(rst_bus_now),
    .bus_valid(bus_valid && bus_addr[31:16] == 16'd0), .bus_ready(bus_ready),
    .bus_fetch(bus_fetch), .bus_addr(bus_addr[15:0]), .bus_wdata(bus_wdata),
    .bus_rdata(bus_rdata), .bus_wstrb(bus_wstrb), .bus_lanes(bus_lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_world_serial #(.DATA_W(32)) serial (
    .clk_tap(clk_bus), .rst_tap(rst_bus_now),
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
