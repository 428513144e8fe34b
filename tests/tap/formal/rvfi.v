`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_tap_rvfi, about any one byte of memory: it is told as read, or as written, if and only if the retired instruction has read or
// written it, once, with its value, and after the instruction's fetch; a read before a write. Nothing is told without a retirement.
module rvfi_proof #(
  parameter ALIGNED = 0,
  parameter BY_CODE = 0,   // masks of instructions that make no access count for nothing
  parameter COMPRESSED = 1
) (
  input wire        clk,
  input wire        rvfi_valid,
  input wire        rvfi_trap,
  input wire [31:0] rvfi_insn,
  input wire [31:0] rvfi_pc_rdata,
  input wire [31:0] rvfi_mem_addr,
  input wire [3:0]  rvfi_mem_rmask,
  input wire [3:0]  rvfi_mem_wmask,
  input wire [31:0] rvfi_mem_rdata,
  input wire [31:0] rvfi_mem_wdata
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [2:0]  tx_valid;
  wire [5:0]  tx_kind;
  wire [95:0] tx_addr, tx_data;
  wire [11:0] tx_lanes;

  es_tap_rvfi #(.ALIGNED(ALIGNED), .BY_CODE(BY_CODE), .COMPRESSED(COMPRESSED)) tap (
    .clk(clk), .rst(rst), .rvfi_valid(rvfi_valid), .rvfi_trap(rvfi_trap), .rvfi_insn(rvfi_insn), .rvfi_pc_rdata(rvfi_pc_rdata),
    .rvfi_rs1_rdata(32'd0), .rvfi_mem_addr(rvfi_mem_addr), .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_rdata(rvfi_mem_rdata), .rvfi_mem_wdata(rvfi_mem_wdata),
    .tx_valid(tx_valid), .tx_kind(tx_kind), .tx_addr(tx_addr), .tx_data(tx_data), .tx_lanes(tx_lanes)
  );

  // ---- what the port says of the byte: at mem_addr + i, with ALIGNED of the word ----
  (* anyconst *) wire [31:0] byte_at;
  wire [31:0] base = ALIGNED != 0 ? {rvfi_mem_addr[31:2], 2'd0} : rvfi_mem_addr;
  wire [31:0] index = byte_at - base;
  wire        there = index < 32'd4;
  wire        done = rvfi_valid && !rvfi_trap && !rst;
  wire        is_read = done && there && rvfi_mem_rmask[index[1:0]] && (BY_CODE == 0 || reading);
  wire        is_written = done && there && rvfi_mem_wmask[index[1:0]] && (BY_CODE == 0 || writing);
  wire [7:0]  read_value = rvfi_mem_rdata >> 8 * index[1:0];
  wire [7:0]  written_value = rvfi_mem_wdata >> 8 * index[1:0];

  // which instructions read and write, one after the other as the manual lists them: lw, flw, amo...; c.lw, c.flw, c.fld, c.lwsp, ...
  reg reading, writing;
  always @* begin
    reading = 1'b0;
    writing = 1'b0;
    casez (rvfi_insn[15:0])
      16'b?????????_0000011, 16'b?????????_0000111: reading = 1'b1;
      16'b?????????_0100011, 16'b?????????_0100111: writing = 1'b1;
      16'b?????????_0101111: begin reading = 1'b1; writing = 1'b1; end
      16'b001_???????????_00, 16'b010_???????????_00, 16'b011_???????????_00: reading = 1'b1;
      16'b001_???????????_10, 16'b010_???????????_10, 16'b011_???????????_10: reading = 1'b1;
      16'b101_???????????_00, 16'b110_???????????_00, 16'b111_???????????_00: writing = 1'b1;
      16'b101_???????????_10, 16'b110_???????????_10, 16'b111_???????????_10: writing = 1'b1;
      16'b100_?0?????????_00: reading = 1'b1;
      16'b100_?1?????????_00: writing = 1'b1;
      default: ;
    endcase
  end

  // ---- the instruction's bytes in its word, and the instruction out of the data ----
  wire        whole = COMPRESSED == 0 || &rvfi_insn[1:0];
  wire        within = COMPRESSED != 0 && rvfi_pc_rdata[1];
  wire [3:0]  told = within ? 4'b1100 : whole ? 4'b1111 : 4'b0011;
  wire [31:0] fetched_insn = {tx_data[31:0], tx_data[31:0]} >> (within ? 16 : 0);

  // ---- what the tap says of it, by its three transactions ----
  wire [2:0] reads, writes;
  wire [7:0] value [0:2];
  genvar g;
  generate
    for (g = 0; g < 3; g = g + 1) begin : each
      wire here = tx_valid[g] && tx_addr[32*g+2 +: 30] == byte_at[31:2] && tx_lanes[4*g + byte_at[1:0]];
      assign reads[g]  = here && tx_kind[2*g +: 2] == 2'd0;
      assign writes[g] = here && tx_kind[2*g +: 2] == 2'd1;
      assign value[g]  = tx_data[32*g +: 32] >> 8 * byte_at[1:0];
    end
  endgenerate

  always @(posedge clk) begin
    // an atomic instruction reads and writes the same word, and only that
    if (BY_CODE != 0 ? reading && writing : |rvfi_mem_rmask && |rvfi_mem_wmask) begin
      atomic: assume (rvfi_mem_rmask == rvfi_mem_wmask && rvfi_mem_addr[1:0] == 2'd0);
    end
    fetched: assert (tx_valid[0] == (rvfi_valid && !rst));
    only: assert (tx_valid[0] || tx_valid == 3'd0);
    if (tx_valid[0]) begin
      fetch: assert (tx_kind[1:0] == 2'd2 && tx_addr[31:0] == {rvfi_pc_rdata[31:2], 2'd0} && tx_lanes[3:0] == told);
      low: assert (fetched_insn[15:0] == rvfi_insn[15:0]);
      high: assert (fetched_insn[31:16] == rvfi_insn[31:16]);
    end
    after_it: assert (!tx_valid[1] || tx_kind[3:2] != 2'd2);
    and_it: assert (!tx_valid[2] || tx_kind[5:4] != 2'd2);
    some: assert (!(tx_valid[1] && tx_lanes[7:4] == 4'd0) && !(tx_valid[2] && tx_lanes[11:8] == 4'd0));
    read_once: assert ({1'b0, reads[1]} + {1'b0, reads[2]} == {1'b0, is_read});
    written_once: assert ({1'b0, writes[1]} + {1'b0, writes[2]} == {1'b0, is_written});
    if (reads[1]) read_1: assert (value[1] == read_value);
    if (reads[2]) read_2: assert (value[2] == read_value);
    if (writes[1]) write_1: assert (value[1] == written_value);
    if (writes[2]) write_2: assert (value[2] == written_value);
    order: assert (!(is_read && is_written) || reads[1] && writes[2]);
    across: cover (reads[2]);
    across_write: cover (writes[2] && !is_read);
    atomically: cover (reads[1] && writes[2]);
    trapped: cover (rvfi_valid && rvfi_trap && |rvfi_mem_wmask);
  end
endmodule

`resetall
