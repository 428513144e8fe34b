/* Between registers and the four byte lanes of the bus: which lanes an access concerns, where a
 * store's bytes go, what a load yields. Byte at address A is in lane A mod 4.
 *
 * A load's answer comes late in the clock, so what to do with it is worked out with the request
 * and kept, one bit per source. With LATE, what of it comes early takes a way of its own.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_lanes #(
  parameter LATE = 0 // 1: of the answer rdata is late, rdata_early is not
) (
  input  wire        clk,
  // request
  input  wire [2:0]  funct3,       // [1:0] size: 0 byte, 1 half word, 2 word; [2] load without sign
  input  wire [1:0]  addr,
  input  wire [31:0] store_value,
  output wire        misaligned,
  output wire [3:0]  lanes,
  output wire [31:0] store_data,
  // answer
  input  wire        load,         // the request in this clock is a load
  input  wire        waiting,      // for an answer
  input  wire [31:0] rdata,
  input  wire [31:0] rdata_early,
  output wire [31:0] load_value,   // 0 unless waiting for a load's answer; with LATE, of
                                   // rdata_early alone
  input  wire [31:0] beside,       // with LATE:
  output wire [31:0] late_value    // beside, or-ed with what is loaded of rdata; else 0
);

  wire byte_size = funct3[1:0] == 2'd0;
  wire half_size = funct3[1:0] == 2'd1;
  wire word_size = funct3[1];

  assign misaligned = half_size ? addr[0] : word_size & (addr[1] | addr[0]);

  wire [3:0] addressed = 4'b0001 << addr;

  assign lanes = byte_size ? addressed :
                 half_size ? {addr[1], addr[1], ~addr[1], ~addr[1]} : 4'b1111;

  assign store_data = {
    byte_size ? store_value[7:0] : half_size ? store_value[15:8] : store_value[31:24],
    byte_size | half_size ? store_value[7:0] : store_value[23:16],
    byte_size ? store_value[7:0] : store_value[15:8],
    store_value[7:0]
  };

  reg [3:0] low_from;     // lane of bits 7 to 0
  reg [3:0] sign_from;    // lane whose top bit is the sign; none: zero extended or a word
  reg [1:0] high_from;    // bits 15 to 8: half word of lanes 1 and 0 or 3 and 2
  reg       high_sign;    // bits 15 to 8 are the sign,
  reg [3:0] byte_from;    // of this lane
  reg       word;

  always @(posedge clk)
    if (!waiting) begin
      low_from  <= {4{load}} & addressed;
      sign_from <= {4{load & ~funct3[2] & ~word_size}}
                   & (byte_size ? addressed : {addr[1], 1'b0, ~addr[1], 1'b0});
      high_from <= {2{load & ~byte_size}} & {addr[1], ~addr[1]};
      high_sign <= load & byte_size;
      byte_from <= {4{load & ~funct3[2] & byte_size}} & addressed;
      word      <= load & word_size;
    end

  generate
    if (LATE != 0) begin : g_late
      es_cpu_late late (
        .data(rdata), .low_from(low_from), .high_from(high_from), .byte_from(byte_from),
        .sign_from(sign_from), .word(word), .beside(beside), .value(late_value)
      );
      es_cpu_load early (
        .data(rdata_early), .low_from(low_from), .high_from(high_from), .byte_from(byte_from),
        .sign_from(sign_from), .word(word), .value(load_value)
      );
      wire unused = &{1'b0, high_sign};
    end else begin : g_not_late
      wire [31:0] data = rdata | rdata_early;
      wire        sign = |(sign_from & {data[31], data[23], data[15], data[7]});

      assign load_value[7:0] = {8{low_from[0]}} & data[7:0] | {8{low_from[1]}} & data[15:8]
                               | {8{low_from[2]}} & data[23:16] | {8{low_from[3]}} & data[31:24];
      assign load_value[15:8] = {8{high_from[0]}} & data[15:8] | {8{high_from[1]}} & data[31:24]
                                | {8{high_sign & sign}};
      assign load_value[31:16] = {16{word}} & data[31:16] | {16{sign}};
      assign late_value = 32'd0;
      wire unused = &{1'b0, byte_from, beside};
    end
  endgenerate

endmodule

`resetall
