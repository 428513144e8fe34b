`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_loader: each command frame is carried out once: so many accesses of its kind as it says, at ascending addresses from its own on, with
// its words; then its answer, with its sequence number, the status and the words read. The bus's signals stand until the acknowledge, and the
// request rests a clock after it. COUNT: words that the command writes or reads, 0 to 2; KIND 0: a command of any operation and length.
module loader_proof #(
  parameter COUNT = 1,
  parameter KIND  = 8'h10,
  parameter CLAIM = 0      // 1: instead, that the frame is never given back: to be refuted
) (
  input wire        clk,
  input wire        begins,
  input wire        ld_ack,
  input wire [31:0] ld_rdata,
  input wire        rsp_ready
);
  localparam [7:0] WRITE = 8'h10, READ = 8'h11, RESPONSE = 8'h80;
  localparam [7:0] OK = 0, BAD_OP = 1, BAD_LENGTH = 2;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  // the frame: any four words, of which the first and the read's count are as the parameters say
  (* anyconst *) reg [31:0] first, address, third, fourth;
  wire is_write = first[7:0] == WRITE, is_read = first[7:0] == READ;
  always @(*) begin
    if (KIND != 0) assume (first[15:0] == {KIND == WRITE ? COUNT[7:0] + 8'd1 : 8'd2, KIND[7:0]});
    if (KIND == 0) assume (!is_write && !is_read || is_write && first[15:8] == 0 || is_read && first[15:8] != 2);
    if (KIND == READ) assume (COUNT == 0 ? third == 0 || third > 60 : third == COUNT);
  end
  wire [127:0] content = {fourth, third, address, first};
  wire [7:0]   status = KIND == 0 ? (is_write || is_read ? BAD_LENGTH : BAD_OP) : KIND == READ && COUNT == 0 ? BAD_LENGTH : OK;
  localparam   READS = KIND == READ ? COUNT : 0;

  reg         frame_valid = 0;
  reg  [7:0]  frame_byte;
  wire        frame_done, ld_req, ld_write, rsp_valid, rsp_last;
  wire [7:0]  frame_place, rsp_byte;
  wire [31:0] ld_addr, ld_wdata;

  es_loader loader (
    .clk(clk), .rst(rst), .frame_valid(frame_valid), .frame_done(frame_done), .frame_place(frame_place), .frame_byte(frame_byte),
    .ld_req(ld_req), .ld_write(ld_write), .ld_addr(ld_addr), .ld_wdata(ld_wdata), .ld_ack(ld_ack), .ld_rdata(ld_rdata),
    .rsp_valid(rsp_valid), .rsp_byte(rsp_byte), .rsp_last(rsp_last), .rsp_ready(rsp_ready)
  );

  reg         was = 0;                // one frame
  reg         before_req = 0, before_ack = 0, before_write;
  reg  [31:0] before_addr, before_data;
  reg  [2:0]  accesses = 0;
  reg  [4:0]  sent = 0;               // bytes of the answer
  reg         over = 0;
  reg  [63:0] read;                   // words that were read
  wire [127:0] answer = {read, 24'd0, status, first[31:16], 8'd1 + READS[7:0], RESPONSE};

  always @(*) begin
    assume (!ld_ack || ld_req);
    // the bus and the answer's reader wait for a clock at most
    assume (ld_ack || !ld_req || !slow);
    assume (rsp_ready || !rsp_valid || !slow);
  end
  reg [1:0] waited = 0;
  wire      slow = waited != 0;

  always @(posedge clk) begin
    waited <= ld_req && !ld_ack || rsp_valid && !rsp_ready ? waited + 1'b1 : 2'd0;
    frame_byte <= frame_place < 16 ? content[8*frame_place[3:0] +: 8] : 8'hxx;
    if (!rst && begins && !was) begin
      frame_valid <= 1;
      was <= 1;
    end
    if (frame_done) frame_valid <= 0;

    before_req <= ld_req && !rst;
    before_ack <= ld_ack;
    {before_write, before_addr, before_data} <= {ld_write, ld_addr, ld_wdata};
    if (ld_ack && !rst) begin
      accesses <= accesses + 1'b1;
      if (accesses == 0) read[31:0] <= ld_rdata;
      else read[63:32] <= ld_rdata;
    end
    if (rsp_valid && rsp_ready && !rst) begin
      sent <= sent + 1'b1;
      if (rsp_last) over <= 1;
    end

    if (!rst && CLAIM == 0) begin
      stands: assert (!(before_req && !before_ack) || ld_req && {ld_write, ld_addr} == {before_write, before_addr});
      data_stands: assert (!(before_req && !before_ack && before_write) || ld_wdata == before_data);
      rests: assert (!(before_req && before_ack) || !ld_req);
      if (ld_req) begin
        in_number: assert (was && accesses < (KIND == 0 ? 0 : COUNT));
        kind: assert (ld_write == (KIND == WRITE));
        place: assert (ld_addr == {address[31:2], 2'd0} + 4 * accesses);
        data: assert (!ld_write || ld_wdata == (accesses == 0 ? third : fourth));
      end
      if (rsp_valid) begin
        after_writes: assert (KIND != WRITE || accesses == COUNT);
        in_length: assert (was && !over && sent < 8 + 4 * READS);
        as_it_is: assert (rsp_byte == answer[8*sent[3:0] +: 8]);
        ends: assert (rsp_last == (sent == 7 + 4 * READS));
      end
      if (frame_done) given_back: assert (over && accesses == (KIND == 0 ? 0 : COUNT));
    end
    if (!rst && CLAIM == 1) reached: assert (!frame_done);
  end
endmodule

`resetall
