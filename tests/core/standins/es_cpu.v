`resetall
`timescale 1ns/1ps
`default_nettype none

// Stand-in for es_cpu in tests of the core: its memory port is driven from the bench's ports.
module es_cpu #(
  parameter [31:0] RESET_PC = 0,
  parameter        TRAPS    = 0,
  parameter        LATE     = 0
) (
  input  wire        clk,
  input  wire        rst,
  output wire        req,
  output wire        req_fetch,
  output wire        req_load,
  output wire [31:0] req_addr,
  output wire [31:0] req_wdata,
  output wire [3:0]  req_wstrb,
  output wire [3:0]  req_lanes,
  input  wire        ack,
  input  wire [31:0] rdata,
  input  wire [31:0] rdata_early,
  input  wire [31:0] insn,
  input  wire        wake,
  output wire        sleeping,
  input  wire        irq_timer,
  input  wire        irq_external,
  output wire        trapped,
  output wire        reg_write,
  output wire [4:0]  reg_number,
  output wire [31:0] reg_value,
  input  wire        put,
  input  wire [4:0]  put_number,
  input  wire [31:0] put_value
);
  assign req       = es_core_bench.fw_req;
  assign req_fetch = es_core_bench.fw_fetch;
  assign req_load  = req && !req_fetch && req_wstrb == 0;
  assign req_addr  = es_core_bench.fw_addr;
  assign req_wdata = es_core_bench.fw_wdata;
  assign req_wstrb = req && !req_fetch ? es_core_bench.fw_wstrb : 4'd0;
  assign req_lanes = 4'hF;
  assign sleeping  = es_core_bench.fw_sleeping;
  assign trapped   = 1'b0;
  assign reg_write = 1'b0;
  assign reg_number = 5'd0;
  assign reg_value = 32'd0;

  wire unused = &{1'b0, RESET_PC, TRAPS != 0, LATE != 0, clk, rst, ack, rdata, rdata_early, insn, wake, irq_timer, irq_external,
                   put, put_number, put_value};
endmodule

`resetall
