/* Between registers and the four byte lanes of the bus: which lanes an access concerns, where a store's bytes go, what a load yields.
 * Byte at address A is in lane A mod 4.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_lanes (
  input  wire [2:0]  funct3,       // [1:0] size: 0 byte, 1 half word, 2 word; [2] load without sign
  // request
  input  wire [1:0]  addr,
  input  wire [31:0] store_value,
  output wire        misaligned,
  output wire [3:0]  lanes,
  output wire [31:0] store_data,
  // answer
  input  wire [1:0]  load_addr,    // the request's address, held
  input  wire [31:0] rdata,
  output wire [31:0] load_value
);

  wire byte_size = funct3[1:0] == 2'd0;
  wire half_size = funct3[1:0] == 2'd1;

  assign misaligned = half_size ? addr[0] : ~byte_size & (addr[1] | addr[0]);

  assign lanes = byte_size ? 4'b0001 << addr : half_size ? {addr[1], addr[1], ~addr[1], ~addr[1]} : 4'b1111;

  assign store_data = {
    byte_size ? store_value[7:0] : half_size ? store_value[15:8] : store_value[31:24],
    byte_size | half_size ? store_value[7:0] : store_value[23:16],
    byte_size ? store_value[7:0] : store_value[15:8],
    store_value[7:0]
  };

  // The sign is chosen beside the bytes, not behind them: the answer comes late in the clock.
  wire [1:0] sign_lane = byte_size ? load_addr : {load_addr[1], 1'b1};
  wire sign = ~funct3[2] & (sign_lane[1] ? (sign_lane[0] ? rdata[31] : rdata[23])
                                         : (sign_lane[0] ? rdata[15] : rdata[7]));

  wire [7:0] low_byte  = load_addr[1] ? (load_addr[0] ? rdata[31:24] : rdata[23:16])
                                      : (load_addr[0] ? rdata[15:8] : rdata[7:0]);
  wire [7:0] high_byte = load_addr[1] ? rdata[31:24] : rdata[15:8];

  assign load_value[31:16] = byte_size | half_size ? {16{sign}} : rdata[31:16];
  assign load_value[15:8]  = byte_size ? {8{sign}} : high_byte;
  assign load_value[7:0]   = low_byte;

endmodule

`resetall
