/* es_target_dma: the DMA device of the target with shared memory (docs/target.md): writes words to memory
 * without any processor, copies of others or a stream of its own, as a converter would bring them.
 *
 * It has a port of its own to memory, so it waits for nobody and nobody waits for it. A word takes 2 clocks
 * and what `CONTROL` says: it is read in the first and written in the second, and then it pauses.
 *
 * Requests are the cores' accesses to its registers, in the clock in which they end; of several in one
 * clock that of the highest core counts. The interrupt goes to the core that has begun. Registers are for the
 * device at rest: what is written to them in between counts from the next word on.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_dma #(
  parameter CORES = 8
) (
  input  wire                clk,
  input  wire                rst,
  input  wire [31:0]         seed,    // of its own words
  input  wire [CORES-1:0]    req,     // an access to a register ends in this clock
  input  wire [CORES-1:0]    write,
  input  wire [5*CORES-1:0]  offset,  // of the register, in bytes
  input  wire [32*CORES-1:0] wdata,
  output reg  [32*CORES-1:0] rdata,
  output wire [CORES-1:0]    irq,

  // memory
  output wire                en,
  output wire [31:0]         addr,
  output wire [31:0]         data,
  output wire [3:0]          wstrb,
  input  wire [31:0]         word,    // that is there now
  input  wire                here     // there is memory
);

  localparam [31:0] OWN_SEED = 32'h2545F491;  // xorshift must not start at 0

  reg [31:2]      source, destination;
  reg [31:0]      left, held, stream;
  reg [7:0]       pause, paused;
  reg             own_words, interrupts, done, writes;
  reg [CORES-1:0] owner;    // who is interrupted at the end

  wire [31:0] step1 = stream ^ (stream << 13);
  wire [31:0] step2 = step1 ^ (step1 >> 17);
  wire [31:0] stream_next = step2 ^ (step2 << 5);
  wire        busy  = left != 32'd0;
  wire        waits = paused != 8'd0;

  wire        ends  = busy && !waits && writes && left == 32'd1;

  assign en    = busy && writes;
  assign addr  = {writes ? destination : source, 2'd0};
  assign data  = held;
  assign wstrb = {4{writes}};
  assign irq   = owner & {CORES{done}};

  integer c;
  always @* begin
    for (c = 0; c < CORES; c = c + 1)
      case ({27'd0, offset[5*c +: 5]})
        `ES_TARGET_DMA_COUNT:   rdata[32*c +: 32] = left;
        `ES_TARGET_DMA_DONE:    rdata[32*c +: 32] = {31'd0, done};
        default: rdata[32*c +: 32] = 32'd0;
      endcase
  end

  always @(posedge clk) begin
    if (busy && waits) begin
      paused <= paused - 8'd1;
    end else if (busy && !writes) begin
      held   <= own_words ? stream : here ? word : 32'd0;
      source <= source + 30'd1;
      writes <= 1'b1;
      if (own_words)
        stream <= stream_next;
    end else if (busy) begin
      destination <= destination + 30'd1;
      left        <= left - 32'd1;
      paused      <= pause;
      writes      <= 1'b0;
      done        <= ends;
    end
    for (c = 0; c < CORES; c = c + 1)
      if (req[c] && write[c])
        case ({27'd0, offset[5*c +: 5]})
          `ES_TARGET_DMA_SOURCE: source <= wdata[32*c+2 +: 30];
          `ES_TARGET_DMA_DESTINATION: destination <= wdata[32*c+2 +: 30];
          `ES_TARGET_DMA_CONTROL:
            {pause, interrupts, own_words} <= {wdata[32*c+8 +: 8], wdata[32*c +: 2]};
          `ES_TARGET_DMA_COUNT: begin
            left   <= wdata[32*c +: 32];
            paused <= 8'd0;
            writes <= 1'b0;
            done   <= wdata[32*c +: 32] == 32'd0;
            owner  <= {{CORES-1{1'b0}}, interrupts} << c;
          end
          `ES_TARGET_DMA_DONE: done <= ends;
          default: ;
        endcase
    if (rst) begin
      left       <= 32'd0;
      done       <= 1'b0;
      writes     <= 1'b0;
      paused     <= 8'd0;
      pause      <= 8'd0;
      interrupts <= 1'b0;
      own_words  <= 1'b0;
      owner      <= {CORES{1'b0}};
      stream     <= seed == 32'd0 ? OWN_SEED : seed;
    end
  end

endmodule

`resetall
