/* es_target_memory: ROM and RAM of the reference target, for simulation (reads within the clock of
 * the address).
 *
 * The shim fills `words` while the target is in reset: first the ROM's words, then the RAM's. They
 * are public for reading only, or Verilator would look at them anew in every evaluation.
 *
 * With HALVES a read from the middle of a word goes on into the next one, as in a memory of two
 * banks of 16 bits: each byte is in the lane of its address. What comes after ROM or RAM is then
 * anything.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none
`include "probe_defs.vh"

module es_target_memory #(
  parameter [31:0] ROM_SIZE = `ES_TARGET_ROM_SIZE,  // bytes; it begins at ES_TARGET_ROM_BASE
  parameter [31:0] RAM_BASE = `ES_TARGET_RAM_BASE,
  parameter [31:0] RAM_SIZE = `ES_TARGET_RAM_SIZE,
  parameter        HALVES   = 0  // 1: reads may begin in the middle of a word
) (
  input  wire        clk,
  input  wire        en,      // the access takes place at the end of this clock
  input  wire [31:0] addr,
  input  wire [31:0] wdata,
  input  wire [3:0]  wstrb,
  output wire        here,    // the address lies in ROM or RAM, and the access is allowed there
  output wire [31:0] rdata
);

  localparam ROM_WORDS = ROM_SIZE / 4;
  localparam RAM_WORDS = RAM_SIZE / 4;
  localparam INDEX_W   = $clog2(ROM_WORDS + RAM_WORDS);

  reg [31:0] words [0:ROM_WORDS+RAM_WORDS-1] /*verilator public_flat_rd*/;

  wire [31:0] rom_offset = addr - `ES_TARGET_ROM_BASE;
  wire [31:0] ram_offset = addr - RAM_BASE;
  wire        in_rom     = rom_offset < ROM_SIZE;
  wire        in_ram     = ram_offset < RAM_SIZE;
  wire [31:0] offset     = in_rom ? rom_offset : ram_offset + ROM_SIZE;
  wire [INDEX_W-1:0] index = offset[INDEX_W+1:2];

  assign here  = in_ram || in_rom && wstrb == 4'd0;
  wire [31:0] word = words[index];

  generate
    if (HALVES != 0) begin : g_halves
      wire [INDEX_W-1:0] next = index + 1'b1;
      assign rdata = addr[1] ? {word[31:16], words[next][15:0]} : word;
    end else begin : g_words
      assign rdata = word;
    end
  endgenerate

  wire unused = &{1'b0, offset[31:INDEX_W+2], offset[1:0]};

  always @(posedge clk) begin
    if (en && in_ram && wstrb != 4'd0) begin
      words[index] <= {wstrb[3] ? wdata[31:24] : word[31:24],
        wstrb[2] ? wdata[23:16] : word[23:16],
                       wstrb[1] ? wdata[15:8] : word[15:8], wstrb[0] ? wdata[7:0] : word[7:0]};
    end
  end

endmodule

`resetall
