`resetall
`timescale 1ns/1ps
`default_nettype none
`include "probe_defs.vh"

// An instruction as evidence of what is executed next (interface/rv32.def). One of 32 bits is
// itself. A compressed one becomes what it does to the flow: the jump, call, return or branch of 32
// bits that goes to the same place, or else the one that does nothing, NOP. LONG tells the sizes
// apart: it is 1 in all instructions of 32 bits, and 0 in what a compressed one has become.
//
// Source: The RISC-V Instruction Set Manual, volume I, chapter "C" (quadrants 1 and 2).
module es_expand (
  input  wire [31:0] fetched, // a compressed instruction's upper half does not matter
  output wire [31:0] insn
);
  localparam [31:0] JAL = `ES_RV32_JAL, JALR = `ES_RV32_JALR, BRANCH = `ES_RV32_BRANCH,
    NOP = `ES_RV32_NOP, LONG = `ES_RV32_LONG;

  wire [2:0]  funct3 = fetched[15:13];
  wire        first = fetched[1:0] == 2'b01;
  wire        second = fetched[1:0] == 2'b10;
  wire        links_here = funct3 == 3'd1;                    // c.jal, else c.j
  wire        is_jump = first && (funct3 == 3'd5 || links_here);
  wire        is_branch = first && funct3[2:1] == 2'b11;      // c.beqz, c.bnez
  wire        is_register = second && funct3 == 3'd4 && fetched[6:2] == 5'd0 &&
                            fetched[11:7] != 5'd0;            // c.jr, c.jalr

  wire [11:1] far = {fetched[12], fetched[8], fetched[10:9], fetched[6], fetched[7], fetched[2],
                     fetched[11], fetched[5:3]};
  wire [8:1]  near = {fetched[12], fetched[6:5], fetched[2], fetched[11:10], fetched[4:3]};

  wire [31:0] jump = {far[11], far[10:1], far[11], {8{far[11]}}, 4'd0, links_here, JAL[6:0]};
  wire [31:0] branch = {{4{near[8]}}, near[7:5], 5'd0, 2'b01, fetched[9:7], 2'b00, funct3[0],
                        near[4:1], near[8], BRANCH[6:0]};
  wire [31:0] register = {12'd0, fetched[11:7], 3'd0, 4'd0, fetched[12], JALR[6:0]};
  wire [31:0] flow = is_jump ? jump : is_branch ? branch : is_register ? register : NOP;

  assign insn = &fetched[1:0] ? fetched : flow & ~LONG;
endmodule

`resetall
