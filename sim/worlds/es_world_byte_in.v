/* es_world_byte_in: holds a byte that the shim puts until the probe takes it.
 *
 * The inputs go to registers only (es_world_bytes).
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_byte_in (
  input  wire       clk,
  input  wire       rst,
  input  wire [7:0] rx_byte,
  input  wire       rx_put,   // only while !rx_full
  input  wire       rx_ready, // the probe takes rx_held
  output reg  [7:0] rx_held,
  output reg        rx_full   // rx_held waits
);

  always @(posedge clk) begin
    if (rx_put) begin
      rx_held <= rx_byte;
      rx_full <= 1'b1;
    end else if (rx_ready) begin
      rx_full <= 1'b0;
    end
    if (rst)
      rx_full <= 1'b0;
  end

endmodule

`resetall
