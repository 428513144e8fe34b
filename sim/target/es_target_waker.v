/* es_target_waker: a timer of the target with shared memory that wakes one core (docs/target.md): from the
 * clock to which it is set on, as soon as a core listens, the lowest one that does is woken by its bell,
 * and the timer is off. A core listens from when it says so until somebody rings its bell.
 *
 * A core's register is written in the clock in which `listens`, `sets` or `stops` has its bit.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_waker #(
  parameter CORES = 8
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [3:0]          cores,      // that run
  input  wire [31:0]         cycle,
  input  wire [CORES-1:0]    listens,
  input  wire [CORES-1:0]    sets,
  input  wire [CORES-1:0]    stops,
  input  wire [32*CORES-1:0] wdata,
  input  wire [CORES-1:0]    rung,       // by cores, in this clock
  output wire [CORES-1:0]    wakes,      // whose bell the timer rings in this clock
  output wire [CORES-1:0]    listening
);

  reg [CORES-1:0] listen;
  reg [31:0]      at;
  reg             set;

  wire [31:0] since  = cycle - at;
  wire        unused = &{1'b0, since[30:0]};

  assign listening = listen & ~({CORES{1'b1}} << cores);
  assign wakes     = {CORES{set && !since[31]}} & listening & (~listening + {{CORES - 1{1'b0}}, 1'b1});

  integer c;
  always @(posedge clk) begin
    listen <= (listen | listens) & ~(rung | wakes);
    if (wakes != {CORES{1'b0}} || stops != {CORES{1'b0}})
      set <= 1'b0;
    for (c = 0; c < CORES; c = c + 1)
      if (sets[c]) begin
        set <= 1'b1;
        at  <= wdata[32*c +: 32];
      end
    if (rst) begin
      listen <= {{CORES - 1{1'b1}}, 1'b0};  // all but core 0 sleep
      set    <= 1'b0;
    end
  end

endmodule

`resetall
