/* es_cpu: a small RV32I core with one fixed number of clocks per instruction class. Contract: docs/rtl.md; figures: README.md here.
 *
 * A clock of waiting for the instruction (FETCH; operands are read as it arrives), a clock of execution (EXEC), and for some classes
 * a second one (SECOND: shifts, branches, jal, auipc, CSR) or the wait for data (DATA). The last clock of an instruction requests the
 * next fetch, from the address that is then certain. No fetch is ever thrown away: an instruction that is fetched is executed, and an
 * interrupt is taken in the place of a fetch request.
 */
`resetall
`timescale 1ns / 1ps
`default_nettype none

module es_cpu #(
  parameter [31:0] RESET_PC = 32'd0,  // address of the first instruction, a multiple of 4
  parameter        TRAPS    = 0       // 1: machine-mode traps, CSRs and interrupts; 0: an exception stops the core
) (
  input  wire        clk,
  input  wire        rst,

  // memory
  output wire        req,
  output wire        req_fetch,
  output wire [31:0] req_addr,
  output wire [31:0] req_wdata,
  output wire [3:0]  req_wstrb,
  output wire [3:0]  req_lanes,
  input  wire        ack,
  input  wire [31:0] rdata,

  // sleep, interrupt, stop
  input  wire        wake,
  output wire        sleeping,
  input  wire        irq_timer,
  output wire        trapped

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
  end

  // --- states, one hot ---

  localparam BOOT = 0, FETCH = 1, EXEC = 2, SECOND = 3, DATA = 4, WFI = 5, STOP = 6, TRAP = 7, MRET = 8;
  localparam STATES = 9;  // without TRAPS the last two are never entered

  reg  [STATES-1:0] state;
  reg  [STATES-1:0] state_next;

  wire in_fetch  = state[FETCH];
  wire in_exec   = state[EXEC];
  wire in_second = state[SECOND];
  wire in_data   = state[DATA];
  wire in_trap   = state[TRAP];
  wire in_mret   = state[MRET];

  // --- instruction ---

  wire [31:0] imm;
  wire [4:0]  rd;
  wire        rd_used;
  wire [2:0]  funct3;
  wire is_load, is_store, is_branch, is_jal, is_jalr, is_auipc, is_shift;
  wire is_wfi, is_mret, is_csr, is_ecall, is_ebreak, insn_illegal;
  wire use_imm, sub, result_sum, result_less, result_logic, result_pc, addr_sum, two_phases;
  wire [1:0] logic_op;

  es_cpu_decode #(.TRAPS(TRAPS)) decode (
    .clk(clk), .rst(rst), .en(in_fetch), .insn(rdata),
    .imm(imm), .rd(rd), .rd_used(rd_used), .funct3(funct3),
    .is_load(is_load), .is_store(is_store), .is_branch(is_branch), .is_jal(is_jal), .is_jalr(is_jalr),
    .is_auipc(is_auipc), .is_shift(is_shift), .is_wfi(is_wfi), .is_mret(is_mret), .is_csr(is_csr),
    .is_ecall(is_ecall), .is_ebreak(is_ebreak), .illegal(insn_illegal),
    .use_imm(use_imm), .sub(sub), .logic_op(logic_op), .result_sum(result_sum), .result_less(result_less),
    .result_logic(result_logic), .result_pc(result_pc), .addr_sum(addr_sum), .two_phases(two_phases)
  );

  // --- operands and results ---

  wire        rd_write;
  wire [31:0] rd_value;
  wire [31:0] rs1, rs2;

  es_cpu_regs regs (
    .clk(clk), .rd_en(in_fetch), .rs1_addr(rdata[19:15]), .rs2_addr(rdata[24:20]), .rs1_data(rs1), .rs2_data(rs2),
    .wr_en(rd_write), .wr_addr(rd), .wr_data(rd_value)
  );

  wire [31:0] sum, logic_out, shifted, load_value;
  wire [4:0]  shift_amount;
  wire        less, equal;

  es_cpu_alu alu (
    .rs1(rs1), .rs2(rs2), .imm(imm), .use_imm(use_imm), .sub(sub), .is_unsigned(is_branch ? funct3[1] : funct3[0]),
    .logic_op(logic_op), .sum(sum), .logic_out(logic_out), .less(less), .equal(equal), .shift_amount(shift_amount)
  );

  es_cpu_shift shift (
    .clk(clk), .en(in_exec && is_shift), .value(rs1), .amount(shift_amount), .left(!funct3[2]), .arithmetic(imm[10]),
    .result(shifted)
  );

  wire       misaligned;
  wire [3:0] lanes;
  reg  [1:0] load_addr;

  es_cpu_lanes lane (
    .funct3(funct3), .addr(sum[1:0]), .store_value(rs2), .misaligned(misaligned), .lanes(lanes), .store_data(req_wdata),
    .load_addr(load_addr), .rdata(rdata), .load_value(load_value)
  );

  // --- program counter: of the instruction that is fetched or executed ---

  reg  [29:0] pc;
  reg         taken;  // known after EXEC: SECOND goes to pc + imm instead of pc + 4
  wire        pc_relative = in_second && taken || in_exec && is_auipc;
  wire [29:0] pc_sum = pc + (pc_relative ? imm[31:2] : 30'd1);

  // --- exceptions ---

  wire is_mem = is_load || is_store;

  wire csr_illegal;
  wire illegal = insn_illegal || is_csr && csr_illegal;

  wire exec_exception = in_exec && (illegal || is_ecall || is_ebreak || is_mem && misaligned || is_jalr && sum[1]);
  wire exception = exec_exception || in_second && taken && imm[1];

  // --- end of the instruction, requests ---

  wire data_req = in_exec && is_mem && !illegal && !misaligned;
  wire done = in_exec && !exec_exception && !is_mem && !two_phases && !is_wfi && !is_mret
              || in_second && !(taken && imm[1]) || in_data && ack || in_mret;

  wire irq, irq_wakes, vector_set;
  wire fetch_req = done && !irq || in_trap && vector_set;

  wire [29:0] vector;  // TRAP, MRET
  wire [29:0] addr = in_trap || in_mret ? vector : in_exec && addr_sum ? sum[31:2] : pc_sum;

  assign req       = fetch_req || data_req;
  assign req_fetch = fetch_req;
  assign req_addr  = {addr, 2'd0};
  assign req_wstrb = lanes & {4{in_exec && is_store}};
  assign req_lanes = lanes | {4{!(in_exec && is_mem)}};

  assign sleeping = state[WFI];
  assign trapped  = state[STOP];

  // --- register write ---

  wire [31:0] csr_value;

  assign rd_write = rd_used && (
    in_exec && (result_sum || result_less || result_logic || result_pc || is_csr)
            && !exec_exception && !(is_jal && imm[1])
    || in_second && is_shift || in_data && ack && is_load);

  assign rd_value =
    in_data      ? load_value :
    in_second    ? shifted :
    result_sum   ? sum :
    result_less  ? {31'd0, less} :
    result_logic ? logic_out :
    result_pc    ? {pc_sum, 2'd0} : csr_value;

  // --- next state ---

  always @* begin
    state_next = {STATES{1'b0}};
    state_next[EXEC]   = in_fetch && ack;
    state_next[SECOND] = in_exec && !exec_exception && two_phases || state[BOOT] || state[WFI] && (wake || irq_wakes);
    state_next[DATA]   = data_req || in_data && !ack;
    state_next[WFI]    = in_exec && !exec_exception && is_wfi || state[WFI] && !wake && !irq_wakes;
    state_next[FETCH]  = fetch_req || in_fetch && !ack;
    state_next[TRAP]   = TRAPS != 0 && (exception || done && irq);
    state_next[MRET]   = in_exec && is_mret;
    state_next[STOP]   = (TRAPS != 0 ? in_trap && !vector_set : exception) || state[STOP];
  end

  always @(posedge clk) begin
    state <= state_next;
    if (in_exec) begin
      taken     <= is_jal || is_branch && (funct3[2] ? less : equal) != funct3[0];
      load_addr <= sum[1:0];
    end
    if (done || in_trap)
      pc <= addr;
    if (rst) begin
      // BOOT leads through SECOND, whose pc + 4 is then the first fetch.
      state <= {{STATES-1{1'b0}}, 1'b1};
      taken <= 1'b0;
      pc    <= RESET_PC[31:2] - 30'd1;
    end
  end

  // --- traps ---

  generate
    if (TRAPS != 0) begin : g_traps
      wire [29:0] mtvec, mepc;
      reg  [3:0]  cause;
      reg         cause_irq;

      // The immediate forms have their operand in the place of rs1, which only this unit needs after the fetch.
      reg [4:0] rs1_field;

      always @(posedge clk) begin
        if (in_fetch)
          rs1_field <= rdata[19:15];
        cause_irq <= !exception;
        cause <= !exception ? 4'd7 :
                 !in_exec   ? 4'd0 :
                 illegal    ? 4'd2 :
                 is_ebreak  ? 4'd3 :
                 is_ecall   ? 4'd11 :
                 is_load    ? 4'd4 :
                 is_store   ? 4'd6 : 4'd0;
      end

      es_cpu_csr csr (
        .clk(clk), .rst(rst), .en(in_exec && is_csr && !csr_illegal), .addr(imm[11:0]), .op(funct3[1:0]),
        .source_zero(rs1_field == 5'd0), .source(funct3[2] ? {27'd0, rs1_field} : rs1), .rdata(csr_value),
        .illegal(csr_illegal), .trap(in_trap), .trap_pc(pc), .trap_irq(cause_irq), .trap_code(cause),
        .mret(in_exec && is_mret), .irq_timer(irq_timer), .irq(irq), .irq_wakes(irq_wakes), .mtvec(mtvec), .mepc(mepc)
      );

      assign vector     = in_mret ? mepc : mtvec;
      assign vector_set = mtvec != 30'd0;
    end else begin : g_no_traps
      assign csr_value   = 32'd0;
      assign csr_illegal = 1'b0;
      assign irq         = 1'b0;
      assign irq_wakes   = 1'b0;
      assign vector      = 30'd0;
      assign vector_set  = 1'b0;
      wire unused = &{1'b0, irq_timer};
    end
  endgenerate

`ifdef RISCV_FORMAL
  reg booting;  // SECOND follows BOOT
  always @(posedge clk)
    booting <= rst || state[BOOT];

  es_cpu_rvfi rvfi (
    .clk(clk), .rst(rst), .fetched(in_fetch && ack), .fetched_insn(rdata),
    .exec(in_exec), .pc(pc), .rs1(rs1), .rs2(rs2), .rd_write(rd_write), .rd(rd), .rd_value(rd_value),
    .mem_req(data_req), .mem_addr(addr), .mem_lanes(lanes), .mem_write(is_store), .mem_wdata(req_wdata),
    .mem_ack(in_data && ack), .mem_rdata(rdata),
    .retire(done && !booting || exception), .trap(exception), .halt(exception && !(TRAPS != 0 && vector_set)),
    .next_pc(exception ? vector : addr), .enter_handler(in_trap),
    .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
    .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_mode(rvfi_mode), .rvfi_ixl(rvfi_ixl),
    .rvfi_rs1_addr(rvfi_rs1_addr), .rvfi_rs2_addr(rvfi_rs2_addr), .rvfi_rs1_rdata(rvfi_rs1_rdata),
    .rvfi_rs2_rdata(rvfi_rs2_rdata), .rvfi_rd_addr(rvfi_rd_addr), .rvfi_rd_wdata(rvfi_rd_wdata),
    .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
    .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask), .rvfi_mem_rdata(rvfi_mem_rdata),
    .rvfi_mem_wdata(rvfi_mem_wdata)
  );
`endif

endmodule

`resetall
