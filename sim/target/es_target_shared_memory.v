/* es_target_shared_memory: ROM and RAM of the target with shared memory, with a port for each core and one
 * more for the DMA device, for simulation (reads within the clock of the address). What a read from the
 * middle of a word gives is as in es_target_memory with HALVES.
 *
 * A read in the clock of another port's write reads what was there before. Of writes to the same byte
 * in the same clock that of the highest port stays; other bytes of the word are not touched.
 *
 * The shim fills `words` while the target is in reset: first the ROM's words, then the RAM's.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_shared_memory #(
  parameter PORTS = 9
) (
  input  wire                clk,
  input  wire [PORTS-1:0]    en,     // the access ends in this clock
  input  wire [32*PORTS-1:0] addr,
  input  wire [32*PORTS-1:0] wdata,
  input  wire [4*PORTS-1:0]  wstrb,
  output wire [PORTS-1:0]    here,   // the address lies in ROM or RAM, and the access is allowed there
  output wire [32*PORTS-1:0] rdata
);

  localparam ROM_WORDS = `ES_TARGET_ROM_SIZE / 4;
  localparam RAM_WORDS = `ES_TARGET_RAM_SIZE / 4;
  localparam INDEX_W   = $clog2(ROM_WORDS + RAM_WORDS);

  reg [31:0] words [0:ROM_WORDS+RAM_WORDS-1] /*verilator public_flat_rd*/;

  wire [INDEX_W*PORTS-1:0] index;
  wire [4*PORTS-1:0]       strobe;  // bytes that are written at this clock's end

  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : g_port
      wire [31:0] at         = addr[32*g +: 32];
      wire [31:0] rom_offset = at - `ES_TARGET_ROM_BASE;
      wire [31:0] ram_offset = at - `ES_TARGET_RAM_BASE;
      wire        in_rom     = rom_offset < `ES_TARGET_ROM_SIZE;
      wire        in_ram     = ram_offset < `ES_TARGET_RAM_SIZE;
      wire [31:0] offset     = in_rom ? rom_offset : ram_offset + `ES_TARGET_ROM_SIZE;
      wire [INDEX_W-1:0] own  = offset[INDEX_W+1:2];
      wire [INDEX_W-1:0] next = own + 1'b1;

      assign index[INDEX_W*g +: INDEX_W] = own;
      assign here[g]             = in_ram || in_rom && wstrb[4*g +: 4] == 4'd0;
      assign strobe[4*g +: 4]    = wstrb[4*g +: 4] & {4{en[g] && in_ram}};
      assign rdata[32*g +: 32]   = at[1] ? {words[own][31:16], words[next][15:0]} : words[own];

      wire unused = &{1'b0, offset[31:INDEX_W+2], offset[1:0]};
    end
  endgenerate

  integer c, b;
  always @(posedge clk) begin
    for (c = 0; c < PORTS; c = c + 1)
      for (b = 0; b < 4; b = b + 1)
        if (strobe[4*c + b])
          words[index[INDEX_W*c +: INDEX_W]][8*b +: 8] <= wdata[32*c + 8*b +: 8];
  end

endmodule

`resetall
