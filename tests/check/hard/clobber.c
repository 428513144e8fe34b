/* watch: s: when write(g) && g == 2 { print g }
 * A procedure that breaks the calling convention: it changes s0, in which its caller counts. Read as C's own code is, the caller's loop would end
 * after four rounds; it runs 500. */
volatile int g, runs;

__attribute__((naked, noinline)) void reset(void)
{
    __asm__ volatile("lui t0, %hi(runs)\n lw t1, %lo(runs)(t0)\n li t2, 500\n li s0, 0\n bltu t1, t2, 1f\n li s0, 5\n"
                     "1: addi t1, t1, 1\n sw t1, %lo(runs)(t0)\n ret");
}

__attribute__((naked, noinline)) void loop(void)
{
    __asm__ volatile("addi sp, sp, -16\n sw ra, 12(sp)\n sw s0, 8(sp)\n li s0, 0\n"
                     "1: lui t0, %hi(g)\n sw s0, %lo(g)(t0)\n call reset\n addi s0, s0, 1\n li t0, 4\n blt s0, t0, 1b\n"
                     "lw ra, 12(sp)\n lw s0, 8(sp)\n addi sp, sp, 16\n ret");
}

int main(void)
{
    loop();
    return 0;
}
