/* The environment of riscv-tests for the simulated target (docs/target.md): what their sources leave to whoever runs
 * them. A test ends by a store to the target's exit: 0 it has passed, else the number of the case that has not. */
/* It is assembly. */
/* clang-format off */
#ifndef ES_RISCV_TEST_H
#define ES_RISCV_TEST_H

#ifndef TESTNUM /* older sources want another one */
#define TESTNUM gp
#endif

#define RVTEST_RV32U \
    .macro init; \
    .endm
#define RVTEST_RV32UF \
    .macro init; \
    li t0, 0x2000; /* mstatus.FS: floating point is on */ \
    csrs mstatus, t0; \
    csrwi fcsr, 0; \
    .endm
/* Sources of 64 bits that are made to tests of 32 define these anew. */
#define RVTEST_RV64U RVTEST_RV32U
#define RVTEST_RV64UF RVTEST_RV32UF

#ifdef __riscv_zicsr
#define ES_INIT_TRAPS \
    la t0, es_trap; \
    csrw mtvec, t0
#else
#define ES_INIT_TRAPS
#endif

#define ES_ZERO(first, second, third, fourth) \
    li first, 0; \
    li second, 0; \
    li third, 0; \
    li fourth, 0

#define ES_EXIT(code) \
    li t5, 0x10000004; \
    sw code, 0(t5); \
    9: j 9b

/* A trap that the test does not handle fails it. */
#define RVTEST_CODE_BEGIN \
    .section .text.start, "ax", @progbits; \
    .globl _start; \
    .type _start, @function; \
    _start: ES_ZERO(ra, sp, gp, tp); \
    ES_ZERO(t0, t1, t2, s0); \
    ES_ZERO(s1, a0, a1, a2); \
    ES_ZERO(a3, a4, a5, a6); \
    ES_ZERO(a7, s2, s3, s4); \
    ES_ZERO(s5, s6, s7, s8); \
    ES_ZERO(s9, s10, s11, t3); \
    ES_ZERO(t4, t5, t6, t6); \
    ES_INIT_TRAPS; \
    init; \
    j es_test; \
    .align 2; \
    es_trap: li t6, 1337; \
    ES_EXIT(t6); \
    .text; \
    .globl es_test; \
    .type es_test, @function; \
    es_test:

#define RVTEST_CODE_END .align 2

#define RVTEST_PASS \
    li t6, 0; \
    ES_EXIT(t6)

#define RVTEST_FAIL ES_EXIT(TESTNUM)

#define EXTRA_DATA
#define RVTEST_DATA_BEGIN .align 4
#define RVTEST_DATA_END

#endif
