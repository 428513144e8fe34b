`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_hitq: order, no loss, nothing invented, `free` exact. Every push from the start is
// counted; the solver picks one of them and follows its value to the head.
module hitq_proof #(
  parameter LOG2 = 2,
  parameter BITS = 4
) (
  input wire            clk,
  input wire            push,
  input wire [BITS-1:0] push_data,
  input wire            pop
);
  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [LOG2:0]   free;
  wire            valid;
  wire [BITS-1:0] head;

  es_hitq #(.WIDTH(BITS), .LOG2(LOG2)) hitq (
    .clk(clk), .rst(rst), .push(push), .push_data(push_data), .free(free), .pop(pop), .valid(valid),
    .head(head)
  );

  reg [BITS-1:0] queue [0:(1<<LOG2)-1];
  reg [7:0]      pushed = 0, popped = 0;
  reg            was_full = 0;
  wire [7:0]     held = pushed - popped;

  always @(posedge clk) begin
    if (!rst) begin
      if (push && free != 0) begin
        queue[pushed[LOG2-1:0]] <= push_data;
        pushed <= pushed + 1'b1;
      end
      if (pop && valid) popped <= popped + 1'b1;
      if (free == 0) was_full <= 1'b1;
      free_exact: assert (free == (1 << LOG2) - held);
      valid_exact: assert (valid == (held != 0));
      in_order: assert (!valid || head == queue[popped[LOG2-1:0]]);
    end
    emptied_after_full: cover (was_full && !valid);
  end
endmodule

`resetall
