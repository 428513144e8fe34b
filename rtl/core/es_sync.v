`resetall
`timescale 1ns/1ps
`default_nettype none

// The synchroniser: all that comes into a clock's domain from another one, or from a pin, comes
// through this module, save for the memory of es_fifo_async and the resets of es_ft245.
// scripts/crossing-check holds every netlist to it, by the attribute; so nothing between `in`
// and the first flip-flop, one reader for it, and `in` straight from a flip-flop or a pin.
//
// Several bits are several synchronisers: they arrive together only if at most one of them changes
// at a time (Gray code), or if nothing looks at them before they have stood still.
module es_sync #(
  parameter WIDTH  = 1,
  parameter STAGES = 2, // 1: `in` comes from a register of clk in its pad, the first flip-flop
  parameter RESET  = 0  // 1: all bits are 1 at power-up and after reset; 0: they are 0
) (
  input  wire             clk,
  input  wire             rst,
  input  wire [WIDTH-1:0] in,
  output wire [WIDTH-1:0] out,
  output wire             settled // for simulation: more clocks would change nothing
);
  initial begin
    if (WIDTH < 1 || STAGES < 1 || STAGES > 2) $error("es_sync: illegal parameter");
  end

  localparam [WIDTH-1:0] CLEARED = RESET != 0 ? {WIDTH{1'b1}} : {WIDTH{1'b0}};

  (* es_sync = "second" *) reg [WIDTH-1:0] stable;
  wire [WIDTH-1:0] first;

  generate
    if (STAGES == 2) begin : pair
      (* es_sync = "first" *) reg [WIDTH-1:0] meta;
      initial meta = CLEARED;
      always @(posedge clk) begin
        meta <= in;
        if (rst) meta <= CLEARED;
      end
      assign first   = meta;
      assign settled = meta == in && stable == in;
    end else begin : pad
      assign first   = in;
      assign settled = stable == in;
    end
  endgenerate

  initial stable = CLEARED;
  always @(posedge clk) begin
    stable <= first;
    if (rst) stable <= CLEARED;
  end

  assign out = stable;
endmodule

`resetall
