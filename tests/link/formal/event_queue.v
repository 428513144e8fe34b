`resetall
`timescale 1ns/1ps
`default_nettype none

// Properties of es_event_queue for a model checker: any pushes, ends and takes. A model beside it
// counts words and knows nothing of pointers.
// REACH=1 claims instead that a certain busy situation never comes: the checker must refute that,
// or the properties would hold only because nothing ever happens.
module event_queue_formal #(
  parameter REACH = 0
) (
  input wire        clk,
  input wire        ev_push,
  input wire [31:0] ev_data,
  input wire        ev_end,
  input wire        take
);
  localparam LOG2 = 2;
  localparam [7:0] DEPTH = 8'd4;

  reg rst;
  initial rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [15:0] ev_room;
  wire        waiting;
  wire [31:0] word;

  es_event_queue #(.LOG2(LOG2)) queue (
    .clk(clk), .rst(rst),
    .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end), .ev_room(ev_room),
    .waiting(waiting), .word(word), .take(take)
  );

  always @(*) begin
    assume(!(ev_push && ev_end));
    assume(!take || (waiting && !rst));
    assume(!rst || !(ev_push || ev_end));
    // The queue does not look at these bits; 0 keeps the proof small.
    assume(ev_data[31:17] == 0 && ev_data[7:1] == 0);
  end

  // ---- model ----
  reg [7:0] whole;    // words of whole frames in the queue
  reg [7:0] part;     // words of the frame being built that found room
  reg [8:0] promised; // words that the frame being built should have
  reg [8:0] pushed;   // words that it has got
  reg       lack;     // one of them found no room
  reg [7:0] in_frame; // words of a begun frame that the reader still has to take
  reg [7:0] frames;   // frames taken
  reg [7:0] dropped;

  wire good = pushed != 0 && pushed == promised && !lack && promised <= 9'd62;

  // One word of sixteen, whichever it is: its number among the words of whole frames.
  (* anyconst *) reg [3:0] some;
  reg [3:0]  number_in;
  reg [3:0]  number_out;
  reg [31:0] some_data;

  always @(posedge clk) begin
    if (rst) begin
      whole <= 0;
      part <= 0;
      promised <= 0;
      pushed <= 0;
      lack <= 0;
      in_frame <= 0;
      frames <= 0;
      dropped <= 0;
      number_in <= 0;
      number_out <= 0;
    end else begin
      if (ev_push) begin
        pushed <= pushed + 9'd1;
        if (pushed == 0) promised <= {1'b0, ev_data[15:8]} + 9'd1;
        if (ev_room == 0) lack <= 1'b1;
        else begin
          part <= part + 8'd1;
          // the word of a frame that is dropped gives way to a later one with its number
          if (number_in + part[3:0] == some) some_data <= ev_data;
        end
      end
      if (ev_end) begin
        pushed <= 0;
        part <= 0;
        lack <= 0;
        if (good) number_in <= number_in + part[3:0];
        else dropped <= dropped + 8'd1;
      end
      whole <= whole + (ev_end && good ? part : 8'd0) - {7'd0, take};
      if (take) begin
        number_out <= number_out + 4'd1;
        in_frame <= in_frame == 0 ? word[15:8] : in_frame - 8'd1;
        if (in_frame == 0 ? word[15:8] == 0 : in_frame == 8'd1) frames <= frames + 8'd1;
      end
    end
  end

  always @(posedge clk) begin
    if (!rst && REACH == 0) begin
      assert(ev_room == {8'd0, DEPTH - whole - part});   // what is promised is there
      assert(waiting == (whole != 0));                   // only whole frames are seen
      assert(whole >= in_frame);                         // a frame that was begun is all there
      if (waiting && in_frame == 0) assert(whole > word[15:8]);
      if (waiting && number_out == some) assert(word == some_data);
    end
    if (!rst && REACH == 1) assert(!(frames == 1 && dropped == 2 && whole == DEPTH));
  end
endmodule

`resetall
