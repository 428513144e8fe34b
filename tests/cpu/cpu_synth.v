/* For `make synth-cpu` only: es_cpu with 2 KiB of block memory and one device register, so that its paths begin and end as in use.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module cpu_synth (
  input  wire       clk,
  input  wire       reset,
  input  wire       wake,
  input  wire [7:0] pins_in,
  output reg  [7:0] pins_out,
  output wire       sleeping,
  output wire       trapped
);

  reg rst;
  always @(posedge clk)
    rst <= reset;

  wire        req;
  wire [31:0] req_addr, req_wdata, rdata;
  wire [3:0]  req_wstrb;
  reg         ack;

  es_cpu cpu (
    .clk(clk), .rst(rst), .req(req), .req_fetch(), .req_addr(req_addr), .req_wdata(req_wdata), .req_wstrb(req_wstrb), .req_lanes(),
    .ack(ack), .rdata(rdata), .wake(wake), .sleeping(sleeping), .irq_timer(1'b0), .trapped(trapped)
  );

  reg         device;
  reg  [31:0] word;
  reg  [7:0]  pins;
  (* no_rw_check *) reg [7:0] lane0 [0:511], lane1 [0:511], lane2 [0:511], lane3 [0:511];
  wire [8:0]  index = req_addr[10:2];

  always @(posedge clk) begin
    ack    <= req && !rst;
    device <= req_addr[28];
    pins   <= pins_in;
    word   <= {lane3[index], lane2[index], lane1[index], lane0[index]};
    if (req && !req_addr[28]) begin
      if (req_wstrb[0]) lane0[index] <= req_wdata[7:0];
      if (req_wstrb[1]) lane1[index] <= req_wdata[15:8];
      if (req_wstrb[2]) lane2[index] <= req_wdata[23:16];
      if (req_wstrb[3]) lane3[index] <= req_wdata[31:24];
    end
    if (req && req_addr[28] && req_wstrb[0])
      pins_out <= req_wdata[7:0];
  end

  assign rdata = device ? {24'd0, pins} : word;

endmodule

`resetall
