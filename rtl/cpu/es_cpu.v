/* es_cpu: a small RV32I core, with C and M if wanted, with one fixed number of
 * clocks per instruction class. Contract: docs/rtl.md; figures: README.md here.
 *
 * A clock of waiting for the instruction (FETCH; operands are read as it arrives), a clock of
 * execution (EXEC), and for some classes a second one (SECOND: shifts, branches, jal, auipc, CSR),
 * several (WORK: multiplication and division) or the wait for data (DATA). The last clock of an instruction requests the next fetch, from the
 * address that is then certain. No fetch is ever thrown away: an instruction that is fetched is
 * executed, and an interrupt is taken in the place of a fetch request. That holds with COMPRESSED,
 * too: a fetch asks for the instruction at `pc`, be it in the middle of a word, and gets up to 32
 * bits at once.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu #(
  parameter [31:0] RESET_PC = 32'd0,  // address of the first instruction, a multiple of 4
  parameter        TRAPS    = 0,      // 1: traps, CSRs, interrupts; 0: exceptions stop it
  parameter        COMPRESSED = 0,    // 1: compressed instructions (Zca)
  parameter        MULDIV     = 0,    // 1: multiplication and division (M)
  parameter        LATE       = 0     // 1: rdata is late in the clock, rdata_early is not
) (
  input  wire        clk,
  input  wire        rst,

  // memory
  output wire        req,
  output wire        req_fetch,
  output wire        req_load,
  output wire [31:0] req_addr,
  output wire [31:0] req_wdata,
  output wire [3:0]  req_wstrb,
  output wire [3:0]  req_lanes,
  input  wire        ack,
  input  wire [31:0] rdata,
  input  wire [31:0] rdata_early, // data are what both say together (or)
  input  wire [31:0] insn,

  // sleep, interrupt, stop
  input  wire        wake,
  output wire        sleeping,
  input  wire        irq_timer,
  input  wire        irq_external,
  output wire        trapped,

  // registers, for who works beside the core (rtl/core/es_tracker.v): what it writes; and what is
  // written into them while it sleeps or waits for data (with LATE, rdata is 0 then in such a wait)
  output wire        reg_write,
  output wire [4:0]  reg_number,
  output wire [31:0] reg_value,
  input  wire        put,
  input  wire [4:0]  put_number,
  input  wire [31:0] put_value

`ifdef RISCV_FORMAL
  ,
  output wire        rvfi_valid,
  output wire [63:0] rvfi_order,
  output wire [31:0] rvfi_insn,
  output wire        rvfi_trap,
  output wire        rvfi_halt,
  output wire        rvfi_intr,
  output wire [1:0]  rvfi_mode,
  output wire [1:0]  rvfi_ixl,
  output wire [4:0]  rvfi_rs1_addr,
  output wire [4:0]  rvfi_rs2_addr,
  output wire [31:0] rvfi_rs1_rdata,
  output wire [31:0] rvfi_rs2_rdata,
  output wire [4:0]  rvfi_rd_addr,
  output wire [31:0] rvfi_rd_wdata,
  output wire [31:0] rvfi_pc_rdata,
  output wire [31:0] rvfi_pc_wdata,
  output wire [31:0] rvfi_mem_addr,
  output wire [3:0]  rvfi_mem_rmask,
  output wire [3:0]  rvfi_mem_wmask,
  output wire [31:0] rvfi_mem_rdata,
  output wire [31:0] rvfi_mem_wdata
`endif
);

  initial begin
    if (RESET_PC[1:0] != 2'd0) begin
      $error("es_cpu: RESET_PC must be a multiple of 4");
      $finish;
    end
    if (TRAPS != 0 && TRAPS != 1) begin
      $error("es_cpu: TRAPS must be 0 or 1");
      $finish;
    end
    if (COMPRESSED != 0 && COMPRESSED != 1) begin
      $error("es_cpu: COMPRESSED must be 0 or 1");
      $finish;
    end
    if (MULDIV != 0 && MULDIV != 1) begin
      $error("es_cpu: MULDIV must be 0 or 1");
      $finish;
    end
  end

  localparam LOW = COMPRESSED != 0 ? 1 : 2;  // lowest bit of an instruction's address

  // --- states, one hot ---

  localparam BOOT = 0, FETCH = 1, EXEC = 2, SECOND = 3, DATA = 4, WFI = 5, STOP = 6;
  localparam TRAP = 7, MRET = 8;
  localparam STATES = 9;  // without TRAPS the last two are never entered

  reg  [STATES-1:0] state;
  reg  [STATES-1:0] state_next;

  // In no state at all until the first reset: neither a request nor a write to a register, x0
  // above all.
  initial state = {STATES{1'b0}};

  wire in_fetch  = state[FETCH];
  wire in_exec   = state[EXEC];
  wire in_second = state[SECOND];
  wire in_data   = state[DATA];
  wire in_trap   = state[TRAP];
  wire in_mret   = state[MRET];
  wire in_work;  // WORK, with MULDIV: none of the others

  // --- instruction ---

  wire [31:0]   word;     // in its 32-bit form
  wire [31:0]   from_pc;  // what was fetched, from the instruction's first byte on
  wire [31:LOW] step;     // to the next instruction

  wire [31:0] imm;
  wire [4:0]  rd;
  wire        rd_used;
  wire [2:0]  funct3;
  wire is_load, is_store, is_branch, is_jal, is_jalr, is_shift, is_muldiv, now_auipc;
  wire is_wfi, is_mret, is_csr, is_ecall, is_ebreak, one_phase, two_phases, funct7_ok;
  wire use_imm, sub, is_unsigned, compare, compare_invert;
  wire result_sum, result_logic, result_pc, addr_sum;
  wire [1:0] logic_op;

  es_cpu_decode #(.TRAPS(TRAPS), .MULDIV(MULDIV)) decode (
    .clk(clk), .rst(rst), .en(in_fetch), .insn(word),
    .imm(imm), .rd(rd), .rd_used(rd_used), .funct3(funct3),
    .is_load(is_load), .is_store(is_store), .is_branch(is_branch), .is_jal(is_jal),
    .is_jalr(is_jalr),
    .now_auipc(now_auipc), .is_shift(is_shift), .is_muldiv(is_muldiv), .is_wfi(is_wfi), .is_mret(is_mret), .is_csr(is_csr),
    .is_ecall(is_ecall), .is_ebreak(is_ebreak), .one_phase(one_phase), .two_phases(two_phases),
    .funct7_ok(funct7_ok),
    .use_imm(use_imm), .sub(sub), .is_unsigned(is_unsigned), .logic_op(logic_op), .compare(compare),
    .compare_invert(compare_invert), .result_sum(result_sum), .result_logic(result_logic),
    .result_pc(result_pc), .addr_sum(addr_sum)
  );

  // --- operands and results ---

  wire        rd_write;
  wire [31:0] rd_value;
  wire [31:0] rs1, rs2;
  wire [31:0] regs_value;

  es_cpu_regs regs (
    .clk(clk), .rd_en(in_fetch), .rs1_addr(word[19:15]), .rs2_addr(word[24:20]), .rs1_data(rs1),
    .rs2_data(rs2),
    .wr_en(rd_write || put), .wr_addr(put ? put_number : rd), .wr_data(regs_value)
  );

  assign reg_write  = rd_write;
  assign reg_number = rd;
  assign reg_value  = regs_value;

  wire [31:0] sum, logic_out, shifted, late_value, load_value, own_value;
  wire [4:0]  shift_amount;
  wire        less, equal;

  es_cpu_alu alu (
    .rs1(rs1), .rs2(rs2), .imm(imm), .use_imm(use_imm), .sub(sub), .compare(compare),
    .invert(compare_invert),
    .is_unsigned(is_unsigned), .logic_op(logic_op), .sum(sum), .logic_out(logic_out), .less(less),
    .equal(equal), .shift_amount(shift_amount)
  );

  es_cpu_shift shift (
    .clk(clk), .en(in_exec && is_shift), .value(rs1), .amount(shift_amount), .left(!funct3[2]),
    .arithmetic(imm[10]),
    .result(shifted)
  );

  wire        work_done;
  wire [31:0] work_value;

  generate
    if (MULDIV != 0) begin : g_muldiv
      reg         working = 1'b0;
      wire [31:0] result;

      es_cpu_muldiv muldiv (
        .clk(clk), .start(in_exec && is_muldiv), .working(working), .funct3(funct3), .rs1(rs1),
        .rs2(rs2), .done(work_done), .result(result)
      );

      always @(posedge clk)
        working <= !rst && (in_exec && is_muldiv || working && !work_done);

      assign in_work    = working;
      assign work_value = {32{is_muldiv}} & result;
    end else begin : g_no_muldiv
      assign in_work    = 1'b0;
      assign work_done  = 1'b0;
      assign work_value = 32'd0;
    end
  endgenerate

  // The address's low bits by themselves: they decide whether there is a request at all.
  wire [1:0] addr_low = rs1[1:0] + imm[1:0];
  wire       misaligned;
  wire [3:0] lanes;

  es_cpu_lanes #(.LATE(LATE)) lane (
    .clk(clk), .funct3(funct3), .addr(addr_low), .store_value(rs2), .misaligned(misaligned),
    .lanes(lanes),
    .store_data(req_wdata), .load(in_exec && is_load), .waiting(in_data),
    .rdata(rdata), .rdata_early(rdata_early), .load_value(load_value),
    .beside(put ? put_value : own_value), .late_value(late_value)
  );

  // --- program counter: of the instruction that is fetched or executed ---

  reg  [31:LOW] pc;
  reg         pc_relative;  // EXEC: auipc; SECOND: a jump or branch that is taken; DATA, WFI: 0
  wire        equal_go = is_jal || is_branch && !funct3[2] && equal != funct3[0];
  wire [31:LOW] pc_sum = pc + (pc_relative ? imm[31:LOW] : step);

  generate
    if (COMPRESSED != 0) begin : g_compressed
      wire arrives_short;
      reg  short;

      assign from_pc = pc[1] ? {insn[15:0], insn[31:16]} : insn;

      es_cpu_expand expand (.insn(from_pc), .short(arrives_short), .expanded(word));

      always @(posedge clk) begin
        if (in_fetch)
          short <= arrives_short;
        if (rst)
          short <= 1'b0;  // BOOT's step
      end

      assign step = {29'd0, !short, short};
    end else begin : g_words
      assign from_pc = insn;
      assign word    = from_pc;
      assign step    = 30'd1;
    end
  endgenerate

  // --- what EXEC leads to; an exception when to nothing else ---

  wire csr_illegal;
  wire second_ok = COMPRESSED != 0 || !(pc_relative && imm[1]);  // SECOND: the target is aligned
  wire jalr_ok   = COMPRESSED != 0 || !(is_jalr && addr_low[1]);
  wire link_ok   = COMPRESSED != 0 || !(is_jal && imm[1]);

  wire exec_done   = in_exec && one_phase && funct7_ok && jalr_ok;
  wire exec_second = in_exec && (two_phases && funct7_ok || is_csr && !csr_illegal);
  wire data_req    = in_exec && (is_load || is_store) && !misaligned;
  wire exec_wfi    = in_exec && is_wfi;
  wire exec_mret   = in_exec && is_mret;
  wire exec_work   = in_exec && is_muldiv;

  wire exception = in_exec && !(exec_done || exec_second || data_req || exec_wfi || exec_mret
                                || exec_work)
                   || in_second && !second_ok;

  // --- end of the instruction, requests ---

  wire done = exec_done || in_second && second_ok || in_data && ack || in_mret
              || in_work && work_done;

  wire irq, irq_wakes, vector_set;
  wire fetch_req = done && !irq || in_trap && vector_set;

  wire [31:LOW] vector;  // TRAP, MRET
  wire [31:LOW] addr = in_trap || in_mret ? vector : addr_sum ? sum[31:LOW] : pc_sum;

  assign req       = fetch_req || data_req;
  assign req_fetch = fetch_req;
  assign req_load  = in_exec && is_load;
  assign req_wstrb = lanes & {4{in_exec && is_store && !misaligned}};

  // A fetch from the middle of a word names that word's lanes alone, though it may want more.
  wire data_access = in_exec && (is_load || is_store);
  wire from_middle = COMPRESSED != 0 && addr[LOW] && !data_access;

  assign req_addr  = {addr[31:2], from_middle, 1'b0};
  assign req_lanes = (lanes | {4{!data_access}}) & {2'b11, {2{!from_middle}}};

  assign sleeping = state[WFI];
  assign trapped  = state[STOP];

  // --- register write ---

  wire [31:0] csr_value;

  wire exec_write = exec_done || exec_second && !is_shift && link_ok;

  assign rd_write = rd_used && (exec_write || in_second && is_shift || in_data && ack
                                || in_work && work_done);

  // The instruction's kind alone selects. The sum is the last to arrive and comes last; with LATE
  // it is what memory gives to a load, which is 0 for all else.
  wire [31:0] other_value =
    load_value
    | {32{is_shift}} & shifted
    | {32{result_logic}} & logic_out
    | {32{result_pc}} & {pc_sum, {LOW{1'b0}}}
    | {32{is_csr}} & csr_value
    | work_value;

  assign own_value = (result_sum ? sum : other_value) | {31'd0, less};

  generate
    if (LATE != 0) begin : g_late
      assign rd_value   = late_value;
      assign regs_value = rd_value;
    end else begin : g_not_late
      assign rd_value   = own_value;
      assign regs_value = put ? put_value : rd_value;
      wire unused_late = &{1'b0, late_value};
    end
  endgenerate

  // --- next state ---

  always @* begin
    state_next = {STATES{1'b0}};
    state_next[EXEC]   = in_fetch && ack;
    state_next[SECOND] = exec_second || state[BOOT] || state[WFI] && (wake || irq_wakes);
    state_next[DATA]   = data_req || in_data && !ack;
    state_next[WFI]    = exec_wfi || state[WFI] && !wake && !irq_wakes;
    state_next[FETCH]  = fetch_req || in_fetch && !ack;
    state_next[TRAP]   = TRAPS != 0 && (exception || done && irq);
    state_next[MRET]   = exec_mret;
    state_next[STOP]   = (TRAPS != 0 ? in_trap && !vector_set : exception) || state[STOP];
  end

  localparam [31:0] BEFORE = RESET_PC - 32'd4;

  always @(posedge clk) begin
    state <= state_next;
    pc_relative <= in_exec && (less || equal_go) || in_fetch && now_auipc;
    if (done || in_trap)
      pc <= addr;
    if (rst) begin
      // BOOT leads through SECOND, whose pc + 4 is then the first fetch.
      state <= {{STATES-1{1'b0}}, 1'b1};
      pc    <= BEFORE[31:LOW];
    end
  end

  // --- traps ---

  generate
    if (TRAPS != 0) begin : g_traps
      wire [31:2] mtvec;
      wire [31:LOW] mepc;
      reg  [3:0]  cause;
      reg         cause_irq;
      wire [3:0]  irq_code;

      // The immediate forms have their operand in the place of rs1, which only this unit
      // needs after the fetch.
      reg [4:0] rs1_field;

      always @(posedge clk) begin
        if (in_fetch)
          rs1_field <= word[19:15];
        cause_irq <= !exception;
        cause <= !exception ? irq_code :
                 !in_exec   ? 4'd0 :
                 is_load    ? 4'd4 :
                 is_store   ? 4'd6 :
                 is_jalr    ? 4'd0 :
                 is_ebreak  ? 4'd3 :
                 is_ecall   ? 4'd11 : 4'd2;
      end

      es_cpu_csr #(.COMPRESSED(COMPRESSED), .MULDIV(MULDIV)) csr (
        .clk(clk), .rst(rst), .en(exec_second && is_csr), .addr(imm[11:0]), .op(funct3[1:0]),
        .source_zero(rs1_field == 5'd0), .source(funct3[2] ? {27'd0, rs1_field} : rs1),
        .rdata(csr_value),
        .illegal(csr_illegal), .trap(in_trap), .trap_pc(pc), .trap_irq(cause_irq),
        .trap_code(cause),
        .mret(exec_mret), .irq_timer(irq_timer), .irq_external(irq_external), .irq(irq),
        .irq_code(irq_code), .irq_wakes(irq_wakes), .mtvec(mtvec), .mepc(mepc)
      );

      assign vector     = in_mret ? mepc : {mtvec, {2-LOW{1'b0}}};
      assign vector_set = mtvec != 30'd0;
    end else begin : g_no_traps
      assign csr_value   = 32'd0;
      assign csr_illegal = 1'b0;
      assign irq         = 1'b0;
      assign irq_wakes   = 1'b0;
      assign vector      = {32-LOW{1'b0}};
      assign vector_set  = 1'b0;
      wire unused = &{1'b0, irq_timer, irq_external, is_ecall, is_ebreak};
    end
  endgenerate

`ifdef RISCV_FORMAL
  reg booting;  // SECOND follows BOOT
  always @(posedge clk)
    booting <= rst || state[BOOT];

  es_cpu_rvfi #(.COMPRESSED(COMPRESSED)) rvfi (
    .clk(clk), .rst(rst), .fetched(in_fetch && ack), .fetched_insn(from_pc),
    .fetched_op(word[6:2]), .fetched_high(word[14]), .fetched_rs1(word[19:15]),
    .fetched_rs2(word[24:20]),
    .exec(in_exec), .pc({pc, {LOW{1'b0}}}), .rs1(rs1), .rs2(rs2), .rd_write(rd_write), .rd(rd),
    .rd_value(rd_value),
    .mem_req(data_req), .mem_addr(addr[31:2]), .mem_lanes(lanes), .mem_write(is_store),
    .mem_wdata(req_wdata),
    .mem_ack(in_data && ack), .mem_rdata(rdata | rdata_early),
    .retire(done && !booting || exception), .trap(exception), .halt(exception && !(TRAPS != 0 &&
    vector_set)),
    .next_pc({exception ? vector : addr, {LOW{1'b0}}}), .enter_handler(in_trap),
    .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
    .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl),
    .rvfi_rs1_addr(rvfi_rs1_addr), .rvfi_rs2_addr(rvfi_rs2_addr), .rvfi_rs1_rdata(rvfi_rs1_rdata),
    .rvfi_rs2_rdata(rvfi_rs2_rdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
    .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
    .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
    .rvfi_mem_rdata(rvfi_mem_rdata),
    .rvfi_mem_wdata(rvfi_mem_wdata)
  );
`endif

endmodule

`resetall
