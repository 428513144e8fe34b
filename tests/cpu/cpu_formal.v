/* Properties of es_cpu for a bounded proof from reset, with any instructions, data, waits, wake-
 * ups and interrupts.
 *
 * The CYCLES_* macros come from interface/cpu_cycles.def.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module cpu_formal #(
  parameter TRAPS = 0,
  parameter COMPRESSED = 0,
  parameter MULDIV = 0,
  parameter LATE = 0
) (
  input wire        clk,
  input wire        answer,     // the memory acknowledges now, if asked
  input wire [31:0] rdata,
  input wire [31:0] rdata_early,
  input wire [31:0] word,       // instruction, in the lanes of the bus
  input wire        wake,
  input wire        irq_timer,
  input wire        irq_external,
  input wire        offer,      // a register is written from beside, when that may be
  input wire [4:0]  put_number,
  input wire [31:0] put_value
);

  reg started = 1'b0;
  always @(posedge clk)
    started <= 1'b1;
  wire rst = !started;

  wire        req, req_fetch, req_load, sleeping, trapped;
  wire [31:0] req_addr, req_wdata;
  wire [3:0]  req_wstrb, req_lanes;

  wire        valid, trap, halt, intr;
  wire [63:0] order;
  wire [31:0] insn, rs1, rs2, rd_value, pc, next_pc, mem_addr, mem_rdata, mem_wdata;
  wire [1:0]  mode, ixl;
  wire [4:0]  rs1_addr, rs2_addr, rd;
  wire [3:0]  rmask, wmask;

  reg  waiting = 1'b0;  // a request is open
  reg  fetching;        // ... and it is a fetch
  wire ack = waiting && answer;

  wire [31:0] reg_value;
  wire        put = offer && put_number != 5'd0 && (sleeping || waiting && !fetching && !ack);

  es_cpu #(.RESET_PC(32'h100), .TRAPS(TRAPS), .COMPRESSED(COMPRESSED), .MULDIV(MULDIV), .LATE(LATE)) cpu (
    .clk(clk), .rst(rst), .req(req), .req_fetch(req_fetch), .req_load(req_load),
    .req_addr(req_addr), .req_wdata(req_wdata), .req_wstrb(req_wstrb), .req_lanes(req_lanes),
    .ack(ack), .rdata(put && waiting ? 32'd0 : rdata), .rdata_early(rdata_early), .insn(word), .wake(wake), .sleeping(sleeping),
    .irq_timer(irq_timer), .irq_external(irq_external), .trapped(trapped),
    .reg_write(), .reg_number(), .reg_value(reg_value), .put(put), .put_number(put_number),
    .put_value(put_value),
    .rvfi_valid(valid), .rvfi_order(order), .rvfi_insn(insn), .rvfi_trap(trap), .rvfi_halt(halt),
    .rvfi_intr(intr),
    .rvfi_mode(mode), .rvfi_ixl(ixl), .rvfi_rs1_addr(rs1_addr), .rvfi_rs2_addr(rs2_addr),
    .rvfi_rs1_rdata(rs1),
    .rvfi_rs2_rdata(rs2), .rvfi_rd_addr(rd), .rvfi_rd_wdata(rd_value), .rvfi_pc_rdata(pc),
    .rvfi_pc_wdata(next_pc),
    .rvfi_mem_addr(mem_addr), .rvfi_mem_rmask(rmask), .rvfi_mem_wmask(wmask),
    .rvfi_mem_rdata(mem_rdata),
    .rvfi_mem_wdata(mem_wdata)
  );

  // --- the bus ---

  reg last_req    = 1'b0;
  reg two_reqs    = 1'b0;
  reg was_stopped = 1'b0;
  reg was_asleep  = 1'b0;

  always @(posedge clk) begin
    waiting <= !rst && (req || waiting && !ack);
    if (req)
      fetching <= req_fetch;
    last_req    <= !rst && req;
    two_reqs    <= !rst && req && last_req;
    was_stopped <= !rst && trapped;
    was_asleep  <= !rst && sleeping && !wake && !(TRAPS != 0 && (irq_timer || irq_external));
    if (!rst) begin
      assert (!(req && waiting && !ack));
      assert (!(req && two_reqs));  // es_soc's loader counts on it
      assert (!(req && (sleeping || trapped)));
      assert (!req || req_addr[0] == 1'd0);
      assert (!req || req_addr[1] == 1'd0 || COMPRESSED != 0 && req_fetch);
      assert (!req || req_load == (!req_fetch && req_wstrb == 4'h0));
      assert (!(req && req_fetch) || req_lanes == (req_addr[1] ? 4'hc : 4'hf) && req_wstrb == 4'h0);
      assert (!req || req_wstrb == 4'h0 || req_wstrb == req_lanes);
      assert (req || req_wstrb == 4'h0);
      assert (!put || reg_value == put_value); // whatever a load's answer looks like then
      if (was_stopped)
        assert (trapped && !valid);
      if (was_asleep)
        assert (sleeping && !valid);
    end
  end

  // --- one retirement for every fetch, in order, of what was fetched ---

  reg        in_flight = 1'b0;
  reg        first     = 1'b1;
  reg [31:0] want_pc, asked, fetch_addr, fetched;

  wire [31:0] from_first = fetch_addr[1] ? {fetched[15:0], fetched[31:16]} : fetched;
  wire        is_short   = COMPRESSED != 0 && from_first[1:0] != 2'd3;

  always @(posedge clk) begin
    in_flight <= !rst && (ack && fetching || in_flight && !valid);
    if (req)
      asked <= req_addr;
    if (ack && fetching) begin
      fetch_addr <= asked;
      fetched    <= word;
    end
    if (!rst) begin
      assert (!valid || in_flight);
      assert (!(ack && fetching && in_flight && !valid));
    end
    if (!rst && valid) begin
      first   <= 1'b0;
      want_pc <= next_pc;
      assert (first ? pc == 32'h100 : intr || pc == want_pc);
      assert (pc[0] == 1'b0 && (COMPRESSED != 0 || pc[1] == 1'b0));
      assert (pc == fetch_addr);
      assert (insn == (is_short ? {16'd0, from_first[15:0]} : from_first));
    end
  end

  // --- clocks: waits and sleep do not count, hence one less for wfi ---

  reg [5:0] clocks;
  reg [5:0] taken;
  wire      counted = !(waiting && !ack) && !sleeping;

  always @(posedge clk)
    if (req && req_fetch) begin
      clocks <= 6'd1;
      taken  <= clocks;
    end else if (counted && clocks != 6'd63)
      clocks <= clocks + 6'd1;

  // Of 16 bits: by quadrant and funct3.
  wire [4:0] short_op = {insn[1:0], insn[15:13]};
  wire short_jal    = short_op == 5'b01_001 || short_op == 5'b01_101;
  wire short_branch = short_op == 5'b01_110 || short_op == 5'b01_111;
  wire short_jalr   = short_op == 5'b10_100 && insn[6:2] == 5'd0;
  wire short_shift  = short_op == 5'b01_100 && !insn[11] || short_op == 5'b10_000;
  wire short_load   = !insn[0] && insn[15:13] == 3'd2;
  wire short_store  = !insn[0] && insn[15:13] == 3'd6;

  wire [4:0] op =
    !is_short    ? insn[6:2] :
    short_jal    ? 5'b11011 :
    short_branch ? 5'b11000 :
    short_jalr   ? 5'b11001 :
    short_load   ? 5'b00000 :
    short_store  ? 5'b01000 : 5'b00100;

  wire is_shift  = is_short ? short_shift :
                   (op == 5'b00100 || op == 5'b01100) && insn[13:12] == 2'b01;
  wire is_branch = op == 5'b11000;
  wire is_jal    = op == 5'b11011;
  wire is_jalr   = op == 5'b11001;
  wire is_system = op == 5'b11100;
  wire is_mret   = is_system && insn[31:20] == 12'h302 && insn[14:12] == 3'd0;

  wire is_muldiv = !is_short && op == 5'b01100 && insn[31:25] == 7'd1;

  wire [5:0] want_clocks =
    op == 5'b00000 ? `CYCLES_load :
    op == 5'b01000 ? `CYCLES_store :
    op == 5'b00101 ? `CYCLES_auipc :
    is_branch      ? `CYCLES_branch :
    is_jal         ? `CYCLES_jal :
    is_jalr        ? `CYCLES_jalr :
    is_muldiv      ? (insn[14] ? `CYCLES_div : `CYCLES_mul) :
    is_shift       ? `CYCLES_shift :
    is_mret        ? `CYCLES_mret :
    is_system      ? (insn[14:12] != 3'd0 ? `CYCLES_csr : `CYCLES_wfi - 1) : `CYCLES_alu;

  // The request that ended the instruction came in the clock before `valid`, unless an
  // exception or interrupt follows.
  reg requested;
  always @(posedge clk) begin
    requested <= !rst && req && req_fetch;
    if (!rst && valid && !trap && requested)
      assert (taken == want_clocks);
    if (!rst && valid && !trap && TRAPS == 0)
      assert (requested);
  end

  // --- results that need no model ---

  wire [31:0] short_b = {{24{insn[12]}}, insn[6:5], insn[2], insn[11:10], insn[4:3], 1'b0};
  wire [31:0] short_j = {{21{insn[12]}}, insn[8], insn[10:9], insn[6], insn[7], insn[2], insn[11],
                         insn[5:3], 1'b0};
  wire [31:0] imm_b = is_short ? short_b :
                      {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
  wire [31:0] imm_j = is_short ? short_j :
                      {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};
  wire [31:0] imm_i = is_short ? 32'd0 : {{20{insn[31]}}, insn[31:20]};
  wire        less  = insn[13] ? rs1 < rs2 : $signed(rs1) < $signed(rs2);
  wire        taken_branch = is_short ? (rs1 == 32'd0) != insn[13] :
                             (insn[14] ? less : rs1 == rs2) != insn[12];
  wire [31:0] step  = is_short ? 32'd2 : 32'd4;

  always @(posedge clk)
    if (!rst && valid) begin
      assert (rd != 5'd0 || rd_value == 32'd0);
      assert (rs1_addr != 5'd0 || rs1 == 32'd0);
      assert (rs2_addr != 5'd0 || rs2 == 32'd0);
      assert (rmask != 4'd0 || mem_rdata == 32'd0);
      assert (wmask != 4'd0 || mem_wdata == 32'd0);
      assert (rmask != 4'd0 || wmask != 4'd0 || mem_addr == 32'd0);
      assert (!halt || trap);
      if (!trap && rd != 5'd0 && (is_short ? short_load : op == 5'b00000 && insn[14:12] == 3'd2))
        assert (rd_value == mem_rdata);
      assert (!(trap && rd != 5'd0));
      if (COMPRESSED != 0 && !trap && (is_jal || is_jalr) && rd != 5'd0)
        assert (rd_value == pc + step);
      if (!trap && !is_mret)
        assert (next_pc == (is_jal ? pc + imm_j : is_jalr ? (rs1 + imm_i) & ~32'd1 :
                            is_branch && taken_branch ? pc + imm_b : pc + step));
    end

endmodule

`resetall
