/* es_target_bus: turns es_cpu's request/ack port into the target's external memory bus, which is
 * what a tap listens to.
 *
 * A valid/ready bus: `valid` and everything that describes the access are registers and stand
 * still until the clock with `ready`, in which a read's data is valid. One access takes 1 + WAIT
 * clocks; the next one may follow without a gap.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_target_bus #(
  parameter WAIT = 0  // wait states of every access, 0 to 255
) (
  input  wire        clk,
  input  wire        rst,

  // processor
  input  wire        req,
  input  wire        req_fetch,
  input  wire [31:0] req_addr,
  input  wire [31:0] req_wdata,
  input  wire [3:0]  req_wstrb,
  input  wire [3:0]  req_lanes,
  output wire        ack,

  // memory bus
  output reg         bus_valid,
  output reg         bus_fetch,
  output reg  [31:0] bus_addr,
  output reg  [31:0] bus_wdata,
  output reg  [3:0]  bus_wstrb,  // 0: read
  output reg  [3:0]  bus_lanes,  // bytes concerned, for reads too
  input  wire        bus_ready,

  output wire        bus_due     // the wait states are over
);

  initial begin
    if (WAIT < 0 || WAIT > 255) begin
      $error("es_target_bus: WAIT must be 0 to 255");
      $finish;
    end
  end

  localparam [7:0] WAIT_CLOCKS = WAIT;

  generate
    if (WAIT == 0) begin : g_no_wait
      assign bus_due = 1'b1;
    end else begin : g_wait
      reg [7:0] waited;
      assign bus_due = waited == WAIT_CLOCKS;
      always @(posedge clk) begin
        if (req)
          waited <= 8'd0;
        else if (!bus_due)
          waited <= waited + 8'd1;
      end
    end
  endgenerate

  assign ack = bus_valid && bus_ready;

  always @(posedge clk) begin
    if (req) begin
      bus_valid <= 1'b1;
      bus_fetch <= req_fetch;
      bus_addr  <= req_addr;
      bus_wdata <= req_wdata;
      bus_wstrb <= req_wstrb;
      bus_lanes <= req_lanes;
    end else if (bus_ready) begin
      bus_valid <= 1'b0;
    end
    if (rst)
      bus_valid <= 1'b0;
  end

endmodule

`resetall
