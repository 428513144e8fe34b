`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// iCEBreaker (iCE40 UP5K): the probe on an 8-bit asynchronous-SRAM-style bus, link over the
// FT2232H's serial pins at 3 Mbaud (8N1, no flow control).
//
// The three PMODs have 24 pins: data 8, address 13, two strobes, fetch. There is no pin for a chip
// select: the adapter gates it into the strobes (rd_n = ce_n | oe_n, wr_n = ce_n | we_n; one
// 74LVC32), which also decodes the 8 KiB to listen to where the target has more. Expansion:
// a[15:13] are the pads of the user button and of the two LEDs (take out the LEDs' resistors before
// wiring a target to them). Left open they are pulled up, so that addresses are 0xE000 to 0xFFFF.
// With them, all of a 64 KiB target is seen. Pins are 3.3 V and not 5 V tolerant: level shifters
// are the adapter's.
//
// Clocks: 12 MHz in; PLL: 48 MHz for the tap; divided by two, the probe's. They come from one
// source, but nothing relies on it: all that crosses goes through es_fifo_async and es_sync.
//
// No pin towards the target is an output; scripts/bitstream-check proves it on the netlist.
module icebreaker #(
  // What a fetch proves on the bus that it listens to: a processor that fetches ahead on it needs
  // `ES_FETCHES_AHEAD (docs/attach-core.md)
  parameter FETCHES = `ES_FETCHES_EXECUTED,
  // 1: the recorder (docs/replay.md) in the place of the monitor, which leaves no room for it
  parameter RECORDER = 0
) (
  input  wire        clk_12mhz,
  input  wire        uart_rx,     // from the FT2232H
  output wire        uart_tx,     // to the FT2232H
  input  wire [15:0] target_a,
  input  wire [7:0]  target_d,
  input  wire        target_rd_n, // low: a read
  input  wire        target_wr_n, // low: a write
  input  wire        target_fetch // high during the read of an instruction (M1, SYNC, FC...)
);
  // ---- clocks and resets ----
  wire clk_tap, clk, pll_locked;
  reg  half = 1'b0; // 24 MHz. (The PLL's own second output would cost the pin of target_a[14].)

  SB_PLL40_PAD #(
    .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd63), .DIVQ(3'd4), .FILTER_RANGE(3'd1)
  ) pll (
    .PACKAGEPIN(clk_12mhz), .RESETB(1'b1), .BYPASS(1'b0), .LOCK(pll_locked),
    .PLLOUTGLOBAL(clk_tap)
  );

  always @(posedge clk_tap) half <= !half;

  SB_GB probe_clock (.USER_SIGNAL_TO_GLOBAL_BUFFER(half), .GLOBAL_BUFFER_OUTPUT(clk));

  // Registers start as 0. The reset lasts 63 probe clocks from the PLL's lock; the tap's follows
  // it.
  reg [5:0] rst_count = 0;
  reg       rst = 1'b1;
  wire      locked, rst_tap;
  wire      lock_settled, rst_settled;

  es_sync lock_sync (
    .clk(clk), .rst(1'b0), .in(pll_locked), .out(locked), .settled(lock_settled)
  );
  es_sync #(.RESET(1)) rst_sync (
    .clk(clk_tap), .rst(1'b0), .in(rst), .out(rst_tap), .settled(rst_settled)
  );

  always @(posedge clk) begin
    if (!locked) rst_count <= 0;
    else if (!(&rst_count)) rst_count <= rst_count + 1'b1;
    rst <= !(&rst_count);
  end

  // ---- pins ----
  // The strobes and the upper address bits are pulled up: nothing is seen while no adapter is there.
  wire [15:0] a;
  wire [7:0]  d;
  wire        rd_n, wr_n, fetch, rx;

  ice40_pads #(.WIDTH(13)) pads_a (.clk(clk_tap), .pins(target_a[12:0]), .sampled(a[12:0]));
  ice40_pads #(.WIDTH(8)) pads_d (.clk(clk_tap), .pins(target_d), .sampled(d));
  ice40_pads pad_fetch (.clk(clk_tap), .pins(target_fetch), .sampled(fetch));
  ice40_pads #(.WIDTH(5), .PULLUP(1)) pads_up (
    .clk(clk_tap), .pins({target_a[15:13], target_rd_n, target_wr_n}),
    .sampled({a[15:13], rd_n, wr_n})
  );
  ice40_pads pad_rx (.clk(clk), .pins(uart_rx), .sampled(rx));

  // ---- tap ----
  wire        bus_valid, tx_valid;
  wire [1:0]  bus_kind, tx_kind;
  wire [31:0] bus_addr, tx_addr;
  wire [31:0] bus_data, tx_data;
  wire [3:0]  bus_lanes, tx_lanes;

  es_tap_sram #(.ADDR_W(16), .DATA_W(8), .PIN_REGISTERED(1)) tap (
    .clk(clk_tap), .rst(rst_tap),
    .pin_addr(a), .pin_data(d), .pin_ce_n(1'b0), .pin_oe_n(rd_n),
    .pin_we_n(wr_n), .pin_lanes_n(1'b0), .pin_fetch(fetch),
    .tx_valid(bus_valid), .tx_kind(bus_kind), .tx_addr(bus_addr), .tx_data(bus_data),
    .tx_lanes(bus_lanes)
  );

  // The recorder is told words, whose bytes come one after the other.
  generate
    if (RECORDER != 0) begin : together
      es_tap_words #(.DATA_W(8)) words (
        .clk(clk_tap), .rst(rst_tap),
        .in_valid(bus_valid), .in_kind(bus_kind), .in_addr(bus_addr), .in_data(bus_data),
        .in_lanes(bus_lanes),
        .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data),
        .tx_lanes(tx_lanes)
      );
    end else begin : apart
      assign tx_valid = bus_valid;
      assign tx_kind  = bus_kind;
      assign tx_addr  = bus_addr;
      assign tx_data  = bus_data;
      assign tx_lanes = bus_lanes;
    end
  endgenerate

  // ---- probe ----
  wire [7:0] tx_byte, rx_byte;
  wire       tx_byte_valid, tx_byte_ready, rx_byte_valid, rx_byte_ready;
  wire       cpu_sleeping, cpu_wake, idle;
  wire [2:0] calm;
  wire [7:0] trigger; // no pins: these stay low
  wire       halt;

  // Records are 80 bits, five block RAMs; the tap's accesses are never in consecutive clocks.
  es_probe #(
    .FIFO_LOG2(8), .HITQ_LOG2(1), .WINDOW_LOG2(16), .MEM_LOG2(16), .EVQ_LOG2(8), .TIME_W(28),
    .TARGET_ADDR_W(16), .TARGET_DATA_W(RECORDER != 0 ? 32 : 8), .SPRAM(1), .CAPTURE_QUEUE(2), .MISSES(0),
    .FETCHES(FETCHES), .READ_HITS(1), .OUTPUTS(0), .TIME_NOW(0),
    .RECORDER(RECORDER), .RECORD_LOG2(13), .MONITOR(1 - RECORDER)
  ) probe (
    .clk_tap(clk_tap), .rst_tap(rst_tap), .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr),
    .tx_data(tx_data), .tx_lanes(tx_lanes),
    .clk(clk), .rst(rst), .clk_soc(clk), .clk_link(clk), .clk_cpu(clk),
    .cpu_sleeping(cpu_sleeping), .cpu_wake(cpu_wake), .idle(idle), .calm(calm),
    .trigger(trigger), .halt(halt),
    .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid), .tx_byte_ready(tx_byte_ready),
    .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid), .rx_byte_ready(rx_byte_ready)
  );

  es_uart #(.CLK_HZ(24000000), .BAUD(`ES_UART_BAUD), .PIN_REGISTERED(1)) uart (
    .clk(clk), .rst(rst), .tx_byte(tx_byte), .tx_byte_valid(tx_byte_valid),
    .tx_byte_ready(tx_byte_ready), .rx_byte(rx_byte), .rx_byte_valid(rx_byte_valid),
    .rx_byte_ready(rx_byte_ready), .rx(rx), .tx(uart_tx)
  );

  wire unused = &{1'b0, cpu_sleeping, cpu_wake, idle, calm, trigger, halt, lock_settled,
                  rst_settled};
endmodule

`resetall
