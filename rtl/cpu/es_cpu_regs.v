/* Registers x0 to x31: two read ports, one write port.
 *
 * Kept twice, once per read port, so that each copy is a plain synchronous memory (iCE40: two
 * SB_RAM40 each). A read that is enabled in one clock shows its value from the next clock on and
 * keeps it until the next enabled read. The core never reads and writes in the same clock. x0
 * holds its initial zero because the core never writes it.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu_regs (
  input  wire        clk,
  // read
  input  wire        rd_en,
  input  wire [4:0]  rs1_addr,
  input  wire [4:0]  rs2_addr,
  output reg  [31:0] rs1_data,
  output reg  [31:0] rs2_data,
  // write
  input  wire        wr_en,
  input  wire [4:0]  wr_addr,
  input  wire [31:0] wr_data
);

  // Without the attribute, synthesis adds a bypass for reads of what is just being written.
  (* no_rw_check *) reg [31:0] copy1 [0:31];
  (* no_rw_check *) reg [31:0] copy2 [0:31];

  integer i;
  initial
    for (i = 0; i < 32; i = i + 1) begin
      copy1[i] = 32'd0;
      copy2[i] = 32'd0;
    end

  always @(posedge clk) begin
    if (wr_en) begin
      copy1[wr_addr] <= wr_data;
      copy2[wr_addr] <= wr_data;
    end
    if (rd_en) begin
      rs1_data <= copy1[rs1_addr];
      rs2_data <= copy2[rs2_addr];
    end
  end

endmodule

`resetall
