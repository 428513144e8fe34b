/* Marks: what a program says about itself on the memory bus, for Earshot to hear (docs/marks.md).
 *
 *     earshot_mark(7);            the program has come to point 7
 *     earshot_mark_value(8, n);   the same, with a value of up to 32 bits
 *
 * A mark is a store of the value to word `id` of the *marker window*; the probe's tap recognises it and stamps time and core. On RISC-V it is
 * one instruction, `sw VALUE, OFFSET(zero)`, and changes no register: what it costs is one store. Elsewhere it is what the compiler makes of
 * a volatile store, with the window at EARSHOT_MARK_BASE.
 *
 * EARSHOT_MARKS=0 (-DEARSHOT_MARKS=0) makes every mark nothing at all: the object code is that of a program without them, and values are not
 * evaluated.
 *
 * On RISC-V the *assembler* makes the marks, so that one compiler output gives two programs that differ in nothing but them:
 *     gcc -S program.c                                            program.s has every mark as a macro
 *     gcc -c program.s                                            with the marks
 *     gcc -c -Wa,--defsym,EARSHOT_NO_MARKS=1 program.s            without; what computes the values stays
 *     gcc -c -Wa,--defsym,EARSHOT_MARK_PAD=9 program.s            each with 9 more instructions that do nothing: costlier instrumentation
 * Both hold a table of the marks in the section .earshot_marks, which is not loaded. Three words for each: the address where it begins, the
 * address where it ends (the same, where there is none), and its id with the number of the register that has the value in bits 20:16.
 *
 * C99 and GNU's extended asm; no other header. ids: constants, 0 to 511; Earshot's message-passing library has those from 480 on. */
#ifndef EARSHOT_MARK_H
#define EARSHOT_MARK_H

#ifndef EARSHOT_MARKS
#define EARSHOT_MARKS 1
#endif

#define EARSHOT_MARK_IDS 512

#if defined(__riscv)

#if EARSHOT_MARKS
/* The registers' numbers, for the table. They leave no symbols in the object. */
__asm__(".set .Learshot_zero, 0\n .set .Learshot_ra, 1\n .set .Learshot_sp, 2\n .set .Learshot_gp, 3\n .set .Learshot_tp, 4\n"
        ".set .Learshot_t0, 5\n .set .Learshot_t1, 6\n .set .Learshot_t2, 7\n .set .Learshot_s0, 8\n .set .Learshot_s1, 9\n"
        ".set .Learshot_a0, 10\n .set .Learshot_a1, 11\n .set .Learshot_a2, 12\n .set .Learshot_a3, 13\n .set .Learshot_a4, 14\n"
        ".set .Learshot_a5, 15\n .set .Learshot_a6, 16\n .set .Learshot_a7, 17\n .set .Learshot_s2, 18\n .set .Learshot_s3, 19\n"
        ".set .Learshot_s4, 20\n .set .Learshot_s5, 21\n .set .Learshot_s6, 22\n .set .Learshot_s7, 23\n .set .Learshot_s8, 24\n"
        ".set .Learshot_s9, 25\n .set .Learshot_s10, 26\n .set .Learshot_s11, 27\n .set .Learshot_t3, 28\n .set .Learshot_t4, 29\n"
        ".set .Learshot_t5, 30\n .set .Learshot_t6, 31");
#endif

/* The text of a mark inside an asm statement: `value` is an operand's place in it ("%0", "%z1"), `id` a string that is a number.
 * For libraries that must know how many clocks lie between a mark and their own instructions. */
#if EARSHOT_MARKS
#define EARSHOT_MARK_ASM(id, value)                        \
    "7501:\n"                                              \
    ".ifndef EARSHOT_NO_MARKS\n"                           \
    ".ifdef EARSHOT_MARK_PAD\n"                            \
    ".rept EARSHOT_MARK_PAD\n nop\n .endr\n"               \
    ".endif\n"                                             \
    " sw " value ", (4 * (" id ") - 2048)(zero)\n"         \
    ".endif\n"                                             \
    "7502:\n"                                              \
    ".pushsection .earshot_marks, \"\", @progbits\n"       \
    " .word 7501b, 7502b, (" id ") | .Learshot_" value " << 16\n" \
    ".popsection\n"
#else
#define EARSHOT_MARK_ASM(id, value) ""
#endif

#if EARSHOT_MARKS
#define earshot_mark_value(id, value) \
    __asm__ volatile(EARSHOT_MARK_ASM("%1", "%z0") : : "rJ"((unsigned int)(value)), "i"(id) : "memory")
#define earshot_mark(id) earshot_mark_value(id, 0)
#endif

#elif EARSHOT_MARKS

#ifndef EARSHOT_MARK_BASE
#error "EARSHOT_MARK_BASE is missing: the address of the marker window, 2 KiB that the tap listens to and that are safe to write"
#endif
#define earshot_mark_value(id, value) \
    ((void)(((volatile unsigned int *)(EARSHOT_MARK_BASE))[id] = (unsigned int)(value)))
#define earshot_mark(id) earshot_mark_value(id, 0)

#endif

#if !EARSHOT_MARKS
#define earshot_mark(id) ((void)0)
#define earshot_mark_value(id, value) ((void)0)
#endif

#endif
