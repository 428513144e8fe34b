/* es_world_bare: the reference target alone, as Verilator's top. */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_world_bare (
  input  wire        clk_bus,
  input  wire        rst_bus,
`include "es_world_ports.vh"
);

`include "es_world_target.vh"

endmodule

`resetall
