/* es_world_listener: the simulated probe: a tap on the target's bus, and es_probe with the sizes
 * that `--probe sim` has.
 *
 * It has all that es_probe can have. The phantom window covers all of the target's ROM and RAM.
 * The time wraps every 2^16 clocks, so that deadlines are noticed soon on a quiet bus too.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

`ifndef ES_SIM_READ_HITS
  `define ES_SIM_READ_HITS 1 // 0: of a target whose bus does not say which bytes are read
`endif

module es_world_listener (
  input  wire        clk_tap,
  input  wire        rst_tap,
  input  wire        bus_valid,
  input  wire        bus_ready,
  input  wire        bus_fetch,
  input  wire [31:0] bus_addr,
  input  wire [31:0] bus_wdata,
  input  wire [31:0] bus_rdata,
  input  wire [3:0]  bus_wstrb,
  input  wire [3:0]  bus_lanes,

  input  wire        clk,
  input  wire        rst,
  input  wire        clk_soc,
  input  wire        clk_link,
  input  wire        clk_cpu,
  output wire        cpu_sleeping,
  output wire        cpu_wake,
  output wire        idle,
  output wire [2:0]  calm,
  output wire [7:0]  trigger,
  output wire        halt,
  output wire [7:0]  tx_byte,
  output wire        tx_byte_valid,
  input  wire        tx_byte_ready,
  input  wire [7:0]  rx_byte,
  input  wire        rx_byte_valid,
  output wire        rx_byte_ready
);

  wire        tx_valid;
  wire [1:0]  tx_kind;
  wire [31:0] tx_addr, tx_data;
  wire [3:0]  tx_lanes;

  // With ES_SIM_BIG_ENDIAN the tap hears the bus with its lanes the other way round: the byte at the
  // lowest address in the topmost one.
`ifdef ES_SIM_BIG_ENDIAN
  localparam BIG_ENDIAN = 1;
`else
  localparam BIG_ENDIAN = 0;
`endif
  wire [31:0] wdata, rdata;
  wire [3:0]  wstrb, lanes;
  genvar g;
  generate
    for (g = 0; g < 4; g = g + 1) begin : lane
      localparam FROM = BIG_ENDIAN != 0 ? 3 - g : g;
      assign wdata[8*g +: 8] = bus_wdata[8*FROM +: 8];
      assign rdata[8*g +: 8] = bus_rdata[8*FROM +: 8];
      assign wstrb[g]        = bus_wstrb[FROM];
      assign lanes[g]        = bus_lanes[FROM];
    end
  endgenerate

  es_tap_memvalid #(.ADDR_W(32), .DATA_W(32), .BIG_ENDIAN(BIG_ENDIAN)) tap (
    .clk(clk_tap), .rst(rst_tap),
    .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_fetch(bus_fetch), .bus_addr(bus_addr),
    .bus_wdata(wdata), .bus_rdata(rdata), .bus_wstrb(wstrb), .bus_lanes(lanes),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes)
  );

  es_probe #(
    .TAPS(1), .FIFO_LOG2(12), .HITQ_LOG2(4), .WINDOW_BASE(32'd0), .WINDOW_LOG2(18), .MEM_LOG2(16),
    .EVQ_LOG2(11),
    .TIME_W(16), .TARGET_ADDR_W(32), .TARGET_DATA_W(32), .TARGET_BIG_ENDIAN(BIG_ENDIAN),
    .SPRAM(0),
    .FETCHES(`ES_SIM_FETCHES), .COMPRESSED(1), .READ_HITS(`ES_SIM_READ_HITS), .OUTPUTS(1), .TIME_NOW(1),
    .TRACKER(1), .RECORDER(1)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
    .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk_soc), .clk_link(clk_link), .clk_cpu(clk_cpu),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(idle), .calm(calm), .trigger(trigger),
    .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

endmodule

`resetall
