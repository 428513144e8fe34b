/* For `make synth-cpu` only: es_cpu with 2 KiB of block memory and one device register, so that
 * its paths begin and end as in use.
 *
 * The memory reads at once but decodes and carries out a write one clock later: the address is the
 * last thing that a clock yields, and a store is always followed by a fetch, so only a fetch of
 * the very word that the instruction before it stored could tell.
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
  reg  [31:0] word;

  es_cpu cpu (
    .clk(clk), .rst(rst), .req(req), .req_fetch(), .req_load(), .req_addr(req_addr),
    .req_wdata(req_wdata), .req_wstrb(req_wstrb), .req_lanes(),
    .ack(ack), .rdata(rdata), .rdata_early(32'd0), .insn(word), .wake(wake), .sleeping(sleeping), .irq_timer(1'b0), .irq_external(1'b0),
    .trapped(trapped), .reg_write(), .reg_number(), .reg_value(), 
    .put(1'b0), .put_number(5'd0), .put_value(32'd0)
  );

  reg  [28:0] addr;  // the last request's
  reg  [31:0] wdata;
  reg  [3:0]  wstrb;
  reg  [7:0]  pins;
  (* no_rw_check *) reg [7:0] lane0 [0:511], lane1 [0:511], lane2 [0:511], lane3 [0:511];
  wire        device = addr[28];
  wire [8:0]  index  = addr[10:2];
  wire [8:0]  next_index = req_addr[10:2];

  always @(posedge clk) begin
    ack   <= req;
    addr  <= req_addr[28:0];
    wdata <= req_wdata;
    wstrb <= req_wstrb;
    pins  <= pins_in;
    word  <= {lane3[next_index], lane2[next_index], lane1[next_index], lane0[next_index]};
    if (ack && !device) begin
      if (wstrb[0]) lane0[index] <= wdata[7:0];
      if (wstrb[1]) lane1[index] <= wdata[15:8];
      if (wstrb[2]) lane2[index] <= wdata[23:16];
      if (wstrb[3]) lane3[index] <= wdata[31:24];
    end
    if (ack && device && wstrb[0])
      pins_out <= wdata[7:0];
  end

  assign rdata = device ? {24'd0, pins} : word;

endmodule

`resetall
