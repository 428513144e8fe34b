/* The instruction set of the target's processor. A file of its own, as it is another one with another processor there
 * (SIM_ISA, docs/attach-core.md). */
#include "sim.h"

#ifndef ES_SIM_ISA
#define ES_SIM_ISA "rv32imc_zicsr_zifencei" /* the reference target's */
#endif

const char *es_sim_isa(void)
{
    return ES_SIM_ISA;
}

bool es_sim_big_endian(void)
{
#ifdef ES_SIM_BIG_ENDIAN
    return true;
#else
    return false;
#endif
}
