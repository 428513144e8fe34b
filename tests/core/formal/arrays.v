`resetall
`timescale 1ns/1ps
`default_nettype none

// Proof of es_phantom (with SPRAM as well) and es_planes, with users that keep to what their ports demand: a word's bytes, its known bit and its
// bits in the planes are what was written there last, to whichever reader, in the clock after it asks; nothing that is done with other words or
// rows changes them. INDEX: the word that is followed; all are alike.
module arrays_proof #(
  parameter SPRAM = 0,
  parameter SWEEP = 16,
  parameter BANK_LOG2 = 0,
  parameter INDEX = 5'd21,
  parameter CLAIM = 0 // 1: instead, that one never sees all of it: to be refuted
) (
  input wire        clk,
  input wire        cpu_near, cpu_write, cpu_data_write, cpu_fetch_write,
  input wire [3:0]  cpu_lanes,
  input wire [4:0]  cpu_index,
  input wire [31:0] cpu_data,
  input wire        store_en, store_known,
  input wire [3:0]  store_lanes,
  input wire [4:0]  store_index,
  input wire [31:0] store_data,
  input wire        look_en,
  input wire [4:0]  look_index,
  input wire        clear_en,
  input wire [4:0]  clear_words, // the first that may be cleared
  input wire [1:0]  lane // any byte of the word
);
  wire [4:0]  clear_index = SWEEP == 16 ? {clear_words[4], 4'd0} : clear_words;
  wire [31:0] word;
  wire        known, data_hit, data_lock;
  wire [1:0]  fetch_hit; // of the two halves
  wire        writes = cpu_write || cpu_data_write || cpu_fetch_write;

  es_phantom #(.WORDS_LOG2(5), .SPRAM(SPRAM), .SWEEP(SWEEP), .BANK_LOG2(BANK_LOG2)) phantom (
    .clk(clk), .cpu_near(cpu_near), .cpu_write(cpu_write), .cpu_lanes(cpu_lanes), .cpu_index(cpu_index), .cpu_write_index(cpu_index),
    .cpu_data(cpu_data), .store_en(store_en), .store_known(store_known), .store_lanes(store_lanes), .store_index(store_index),
    .store_data(store_data), .look_en(look_en), .look_index(look_index), .clear_en(clear_en), .clear_index(clear_index),
    .word(word), .known(known)
  );
  es_planes #(.WORDS_LOG2(5), .SWEEP(SWEEP), .COMPRESSED(1)) planes (
    .clk(clk), .cpu_near(cpu_near), .cpu_data_write(cpu_data_write), .cpu_fetch_write(cpu_fetch_write), .cpu_index(cpu_index),
    .cpu_write_index(cpu_index), .cpu_bits(cpu_data[1:0]), .cpu_upper(cpu_data[16]), .cpu_halves({cpu_lanes[2], cpu_lanes[0]}), .look_en(look_en), .look_index(look_index), .clear_en(clear_en),
    .clear_index(clear_index), .data_hit(data_hit), .data_lock(data_lock), .fetch_hit(fetch_hit)
  );

  always @(*) begin
    assume (cpu_write + cpu_data_write + cpu_fetch_write <= 1);
    assume (!writes || cpu_near);
    assume (!(look_en && cpu_near));
    assume (!(store_en && (SPRAM != 0 ? cpu_near || look_en : cpu_write)));
    assume (!(clear_en && (cpu_near || store_en || look_en)));
  end

  // ---- the word that is followed ----
  reg [31:0] value;
  reg [3:0]  written = 0;  // its bytes that were, so that `value` has them
  reg        is_known;
  reg        cleared = 0;  // since power-up, so that the bits are certain
  reg        data, locks;
  reg [1:0]  fetches;
  wire [3:0] lanes = cpu_write && cpu_index == INDEX ? cpu_lanes : store_en && store_index == INDEX ? store_lanes : 4'd0;
  wire [31:0] bytes = cpu_write ? cpu_data : store_data;

  integer i;
  always @(posedge clk) begin
    for (i = 0; i < 4; i = i + 1) begin
      if (lanes[i]) value[8*i +: 8] <= bytes[8*i +: 8];
    end
    written <= written | lanes;
    if (cpu_write && cpu_index == INDEX && cpu_lanes == 4'hF || store_en && store_known && store_index == INDEX) is_known <= 1;
    if (cpu_data_write && cpu_index == INDEX) {locks, data} <= cpu_data[1:0];
    if (cpu_fetch_write && cpu_index == INDEX && cpu_lanes[0]) fetches[0] <= cpu_data[0];
    if (cpu_fetch_write && cpu_index == INDEX && cpu_lanes[2]) fetches[1] <= cpu_data[16];
    if (clear_en && clear_index / SWEEP == INDEX / SWEEP) begin
      {is_known, data, locks, fetches} <= 5'd0;
      cleared <= 1;
    end
  end

  // ---- what a reader of it must see: as it was before the clock of the read ----
  reg        asked = 0, asked_planes = 0, then_sure = 0, then_sure_planes = 0;
  reg [31:0] then_value;
  reg [3:0]  then_written;
  reg        then_known, then_data, then_lock;
  reg [1:0]  then_fetch;
  // each of the two sees only its own writes; what another's write would have read there is of no interest, but as it says
  wire       at_phantom = (cpu_near ? !cpu_write : look_en);
  wire       at_planes = (cpu_near ? !cpu_data_write && !cpu_fetch_write : look_en);
  wire       here = (cpu_near ? cpu_index : look_index) == INDEX;

  always @(posedge clk) begin
    if (at_phantom) begin
      asked <= here;
      then_sure <= cleared;
      {then_value, then_written, then_known} <= {value, written, is_known};
    end
    if (at_planes) begin
      asked_planes <= here;
      then_sure_planes <= cleared;
      {then_data, then_lock, then_fetch} <= {data, locks, fetches};
    end
    if (CLAIM == 0 && asked) byte_kept: assert (!then_written[lane] || word[8*lane +: 8] == then_value[8*lane +: 8]);
    if (CLAIM == 0 && asked && then_sure) known_kept: assert (known == then_known);
    if (CLAIM == 0 && asked_planes && then_sure_planes) bits_kept: assert ({data_hit, data_lock, fetch_hit} == {then_data, then_lock, then_fetch});
    if (CLAIM == 1) seen: assert (!(asked && then_sure && known && word == 32'h12345678 && data_hit && !data_lock && fetch_hit == 2'b10 && asked_planes));
  end
endmodule

`resetall
