`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_event_port: the words that leave are those that were asked for, in order, each in its clock, with sequence numbers that count the
// frames since the soft core's start; a frame ends when it was said to. Requests come as far apart as the module demands.
module event_port_proof (
  input wire        clk,
  input wire        run,
  input wire [2:0]  request,
  input wire [31:0] wdata,
  input wire [31:0] hit_time,
  input wire [31:0] time_high,
  input wire [31:0] hit_pc
);
  localparam [2:0] NONE = 0, DATA = 1, HEAD = 2, HIT = 3, LAST = 4, END = 5, FLAGS = 6, POP = 7;
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [15:0] flags;
  wire        ev_push, ev_end;
  wire [31:0] ev_data;

  es_event_port port (
    .clk(clk), .rst(rst), .run(run), .put(request == DATA), .put_head(request == HEAD), .put_hit(request == HIT), .put_last(request == LAST),
    .finish(request == END), .set_flags(request == FLAGS), .hit_pop(request == POP), .wdata(wdata), .flags(flags),
    .hit_time(hit_time), .time_high(time_high), .hit_pc(hit_pc), .ev_push(ev_push), .ev_data(ev_data), .ev_end(ev_end)
  );

  // ---- what was asked for ----
  reg [3:0]  since_hit = 15, since_last = 15; // clocks
  reg [15:0] frames = 0, set = 0, statement;
  reg        ran = 0;
  reg [31:0] expected;
  reg        pushes;

  always @(*) begin
    assume (!(rst && run));
    assume (run || request == NONE);
    assume (since_hit >= 5 || request == NONE);
    assume (since_last >= 2 || request == NONE);
    pushes = 1;
    expected = wdata;
    case (request)
      DATA, LAST: ;
      HEAD: expected = {frames, wdata[15:0]};
      HIT: expected = {frames, wdata[23:16], 8'h02}; // FRAME_HIT
      default:
        case (since_hit)
          1: expected = hit_time;
          2: expected = time_high;
          3: expected = {set, statement};
          4: expected = hit_pc;
          default: pushes = 0;
        endcase
    endcase
  end

  always @(posedge clk) begin
    since_hit <= request == HIT ? 4'd1 : since_hit + (since_hit != 15);
    since_last <= request == LAST ? 4'd1 : since_last + (since_last != 15);
    if (request == HIT) statement <= wdata[15:0];
    if (request == FLAGS) set <= wdata[15:0];
    if (request == HIT || request == HEAD) frames <= frames + 1'b1;
    if (!run) begin
      frames <= 0;
      set <= 0;
      since_hit <= 15;
      since_last <= 15;
    end
    ran <= run;
    if (run && ran) begin
      when_asked: assert (ev_push == pushes);
      as_asked: assert (!pushes || ev_data == expected);
      ends: assert (ev_end == (request == END || since_last == 1));
      one: assert (!(ev_push && ev_end));
      kept: assert (flags == set);
    end
    second: cover (run && frames == 2 && since_hit == 4 && set == 7);
  end
endmodule

`resetall
