`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_target_locks: test and set is atomic, so programs that release only what they took never
// have a lock twice; a free lock is got; other locks are not touched. The solver picks a lock; cores ask
// for it and for others when they like, and write it only while they have it.
module locks_proof #(
  parameter CORES = 3,
  parameter WAIT  = 1,
  parameter CLAIM = 0  // 1: cores may release what others have
) (
  input wire               clk,
  input wire [CORES-1:0]   asks,
  input wire [CORES-1:0]   ask_write,
  input wire [5*CORES-1:0] ask_number,
  input wire [4:0]         any_lock
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  reg [4:0] lock = 5'd0;
  always @(posedge clk) if (rst) lock <= any_lock;

  reg  [CORES-1:0]   standing = {CORES{1'b0}}, standing_write = {CORES{1'b0}};
  reg  [5*CORES-1:0] standing_number = {5*CORES{1'b0}};
  reg  [CORES-1:0]   has = {CORES{1'b0}};  // read 0 from it, and has not written it since
  wire [CORES-1:0]   req, write, done, mine;
  wire [5*CORES-1:0] number;
  wire [31:0]        rdata;

  es_target_locks #(.CORES(CORES)) locks (
    .clk(clk), .rst(rst), .wait_states(WAIT[7:0]), .req(rst ? {CORES{1'b0}} : req), .write(write),
    .number(number), .done(done), .rdata(rdata)
  );

  genvar g;
  generate
    for (g = 0; g < CORES; g = g + 1) begin : core
      assign number[5*g +: 5] = standing[g] ? standing_number[5*g +: 5] : ask_number[5*g +: 5];
      assign mine[g]          = number[5*g +: 5] == lock;
      assign write[g]         = standing[g] ? standing_write[g] : ask_write[g];
      assign req[g] = standing[g] ||
                      asks[g] && (!ask_write[g] || !mine[g] || has[g] || CLAIM != 0);
      always @(posedge clk) begin
        if (!rst) begin
          standing[g]              <= req[g] && !done[g];
          standing_write[g]        <= write[g];
          standing_number[5*g+:5]  <= number[5*g +: 5];
          if (done[g] && mine[g]) begin
            has[g] <= !write[g] && (rdata == 32'd0 || has[g]);
            if (!write[g]) assert ((rdata == 32'd0) == (has == 0));
          end
          assert (rdata[31:1] == 31'd0);
        end
        cover (!rst && done[g] && mine[g] && !write[g] && rdata == 32'd0
                                  && someone_had);
      end
    end
  endgenerate

  reg someone_had = 1'b0;
  always @(posedge clk) begin
    someone_had <= someone_had || has != 0;
    if (!rst) never_two: assert ((has & (has - 1'b1)) == 0);
  end
endmodule

`resetall
