`resetall
`timescale 1ns/1ps
`default_nettype none

// Ports of the iCE40 primitives that the boards use, for lint only: yosys has its own.
/* verilator lint_off DECLFILENAME */
/* verilator lint_off UNUSED */
/* verilator lint_off UNDRIVEN */
module SB_PLL40_PAD #(
  parameter       FEEDBACK_PATH = "SIMPLE",
  parameter [3:0] DIVR          = 0,
  parameter [6:0] DIVF          = 0,
  parameter [2:0] DIVQ          = 0,
  parameter [2:0] FILTER_RANGE  = 0
) (
  input  wire PACKAGEPIN,
  input  wire RESETB,
  input  wire BYPASS,
  output wire LOCK,
  output wire PLLOUTGLOBAL
);
endmodule

module SB_IO #(
  parameter [5:0] PIN_TYPE = 6'b000000,
  parameter [0:0] PULLUP   = 1'b0
) (
  input  wire PACKAGE_PIN, // an inout, of which no board uses the output
  input  wire INPUT_CLK,
  output wire D_IN_0
);
endmodule

module SB_GB (
  input  wire USER_SIGNAL_TO_GLOBAL_BUFFER,
  output wire GLOBAL_BUFFER_OUTPUT
);
endmodule

module SB_SPRAM256KA (
  input  wire [13:0] ADDRESS,
  input  wire [15:0] DATAIN,
  input  wire [3:0]  MASKWREN,
  input  wire        WREN,
  input  wire        CHIPSELECT,
  input  wire        CLOCK,
  input  wire        STANDBY,
  input  wire        SLEEP,
  input  wire        POWEROFF,
  output wire [15:0] DATAOUT
);
endmodule

module SB_RAM40_4K #(
  parameter WRITE_MODE = 0,
  parameter READ_MODE  = 0
) (
  input  wire        RCLK,
  input  wire        RCLKE,
  input  wire        RE,
  input  wire [10:0] RADDR,
  output wire [15:0] RDATA,
  input  wire        WCLK,
  input  wire        WCLKE,
  input  wire        WE,
  input  wire [10:0] WADDR,
  input  wire [15:0] MASK,
  input  wire [15:0] WDATA
);
endmodule

`resetall
