/* es_target_devices: console, exit register, cycle counter, timer interrupt, alarm and random
 * numbers of the reference target.
 *
 * Register offsets: interface/probe.def, TARGET_IO_*. A byte that a write does not cover keeps its
 * value; registers that can only be written read as 0. Reading RANDOM steps the generator, so a
 * run's numbers depend on `seed` and on the order of the reads alone.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_devices (
  input  wire        clk,
  input  wire        rst,
  input  wire [63:0] cycle,         // clocks since reset: the target's one time
  input  wire        en,            // the access takes place at this clock's end, if it is `here`
  input  wire [31:0] addr,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        here,          // there is a register at this address
  output reg  [31:0] rdata,

  input  wire [31:0] seed,          // of RANDOM, taken during reset; 0: OWN_SEED
  output wire        irq_timer,
  output wire        irq_external,  // the alarm's
  output reg         console_valid, // for one clock: console_byte was written
  output reg  [7:0]  console_byte,
  output reg         exited,        // stays
  output reg  [31:0] exit_code
);

  localparam [31:0] OWN_SEED = 32'h2545F491;  // xorshift must not start at 0

  wire [31:0] offset = {addr[31:2], 2'd0} - `ES_TARGET_IO_BASE;
  wire        access = en && here;
  wire        write  = access && wstrb != 4'd0;
  wire [31:0] mask   = {{8{wstrb[3]}}, {8{wstrb[2]}}, {8{wstrb[1]}}, {8{wstrb[0]}}};

  wire unused = &{1'b0, addr[1:0]};

  reg [31:0] cycle_high;
  reg [63:0] compare, alarm;
  reg [31:0] random;

  assign here = offset == `ES_TARGET_IO_CONSOLE || offset == `ES_TARGET_IO_EXIT ||
    offset == `ES_TARGET_IO_CYCLE ||
                offset == `ES_TARGET_IO_CYCLEH || offset == `ES_TARGET_IO_TIMECMP ||
                  offset == `ES_TARGET_IO_TIMECMPH ||
                offset == `ES_TARGET_IO_RANDOM || offset == `ES_TARGET_IO_ALARM ||
                  offset == `ES_TARGET_IO_ALARMH;
  assign irq_timer    = cycle >= compare;
  assign irq_external = cycle >= alarm;

  wire [31:0] step1 = random ^ (random << 13);
  wire [31:0] step2 = step1 ^ (step1 >> 17);
  wire [31:0] random_next = step2 ^ (step2 << 5);

  always @* begin
    case (offset)
      `ES_TARGET_IO_CYCLE:    rdata = cycle[31:0];
      `ES_TARGET_IO_CYCLEH:   rdata = cycle_high;
      `ES_TARGET_IO_TIMECMP:  rdata = compare[31:0];
      `ES_TARGET_IO_TIMECMPH: rdata = compare[63:32];
      `ES_TARGET_IO_RANDOM:   rdata = random;
      `ES_TARGET_IO_ALARM:    rdata = alarm[31:0];
      `ES_TARGET_IO_ALARMH:   rdata = alarm[63:32];
      default:                rdata = 32'd0;
    endcase
  end

  always @(posedge clk) begin
    console_valid <= write && offset == `ES_TARGET_IO_CONSOLE && wstrb[0];
    if (access) begin
      if (!write && offset == `ES_TARGET_IO_CYCLE)
        cycle_high <= cycle[63:32];
      if (!write && offset == `ES_TARGET_IO_RANDOM)
        random <= random_next;
      if (write && offset == `ES_TARGET_IO_TIMECMP)
        compare[31:0] <= wdata & mask | compare[31:0] & ~mask;
      if (write && offset == `ES_TARGET_IO_TIMECMPH)
        compare[63:32] <= wdata & mask | compare[63:32] & ~mask;
      if (write && offset == `ES_TARGET_IO_ALARM)
        alarm[31:0] <= wdata & mask | alarm[31:0] & ~mask;
      if (write && offset == `ES_TARGET_IO_ALARMH)
        alarm[63:32] <= wdata & mask | alarm[63:32] & ~mask;
      if (write && offset == `ES_TARGET_IO_CONSOLE)
        console_byte <= wdata[7:0];
      if (write && offset == `ES_TARGET_IO_EXIT) begin
        exited    <= 1'b1;
        exit_code <= wdata & mask;
      end
    end
    if (rst) begin
      cycle_high    <= 32'd0;
      compare       <= {64{1'b1}};
      alarm         <= {64{1'b1}};
      random        <= seed == 32'd0 ? OWN_SEED : seed;
      console_valid <= 1'b0;
      exited        <= 1'b0;
    end
  end

endmodule

`resetall
