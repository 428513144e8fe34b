/* es_target_order: the bytes of a data access in the other order.
 *
 * Between a processor whose own order of bytes is little endian and a bus: with it the processor is
 * big endian. A byte's address, and with that its lane, stays; of 2 and 4 bytes those with the
 * lowest address become the most significant ones. What is turned twice is as it was.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_order (
  input  wire [3:0]  lanes,  // of the access: one, two side by side, or all
  input  wire [31:0] data,
  output wire [31:0] turned
);

  wire word = &lanes;
  wire half = !word && (&lanes[1:0] || &lanes[3:2]);

  assign turned = word ? {data[7:0], data[15:8], data[23:16], data[31:24]}
                  : half ? {data[23:16], data[31:24], data[7:0], data[15:8]} : data;

endmodule

`resetall
