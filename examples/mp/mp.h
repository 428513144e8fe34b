/* Message passing between the cores of the multi-core reference target (docs/target.md): messages of one word.
 *
 *     mp_async_send   sends; waits only while the message before, from here to there, has not been taken
 *     mp_sync_send    sends, and returns when the message has been taken
 *     mp_recv         waits for a message from one core
 *     mp_any_recv     waits for a message from any core; of several that have arrived, takes that of the lowest core
 *     mp_async_recv   takes a message if one has arrived
 *     mp_barrier      waits until all cores have come here
 *
 * Between two cores messages keep their order. Each primitive is made of a few instructions in one place and is marked there
 * (earshot_mark.h): its marks and its model as a timed Petri net are in docs/marks.md. Everything is inline, so that the address of a mark tells
 * the call. The marks' values are the number of the other core. */
#ifndef MP_H
#define MP_H

#include <stdbool.h>

#include "earshot_mark.h"
#include "target.h"

/* Marks of the library. "0" to "9" as text for the assembler; MP_MARK_FIRST to 511 are taken. */
#define MP_MARK_FIRST 480
#define MP_SEND_BEGIN "480"  /* before the store that sends */
#define MP_SEND_END "481"    /* the message has left */
#define MP_TAKEN_END "482"   /* synchronous send: it has been taken */
#define MP_RECV_BEGIN "484"  /* before the load that takes */
#define MP_RECV_END "485"    /* the message has been taken */
#define MP_TEST_BEGIN "486"  /* before the load that asks whether there is one */
#define MP_TEST_NONE "487"   /* there was none; else MP_RECV_BEGIN follows */
#define MP_ANY_BEGIN "488"   /* before the load that waits for any */
#define MP_ANY_FOUND "489"   /* there is one; MP_RECV_BEGIN follows */
#define MP_BARRIER_BEGIN 490
#define MP_BARRIER_END 491

#define MP_INLINE static inline __attribute__((always_inline))

/* The device's register at `offset`, of core `core` where there is one for each. */
MP_INLINE volatile uint32_t *mp_register(uint32_t offset, unsigned core)
{
    return &TARGET_REGISTER(ES_TARGET_MSG_BASE - ES_TARGET_IO_BASE + offset + 4 * core);
}

/* Own number, from 0. */
MP_INLINE unsigned mp_core(void)
{
    return *mp_register(ES_TARGET_MSG_SELF, 0) & 0xFF;
}

/* How many cores there are, 1 to 8. */
MP_INLINE unsigned mp_cores(void)
{
    return *mp_register(ES_TARGET_MSG_SELF, 0) >> 8 & 0xFF;
}

MP_INLINE void mp_async_send(unsigned to, uint32_t word)
{
    __asm__ volatile(EARSHOT_MARK_ASM(MP_SEND_BEGIN, "%z2") " sw %z1, 0(%0)\n" EARSHOT_MARK_ASM(MP_SEND_END, "%z2")
                     :
                     : "r"(mp_register(ES_TARGET_MSG_SEND, to)), "rJ"(word), "rJ"(to)
                     : "memory");
}

MP_INLINE void mp_sync_send(unsigned to, uint32_t word)
{
    __asm__ volatile(EARSHOT_MARK_ASM(MP_SEND_BEGIN, "%z2") " sw %z1, 0(%0)\n" EARSHOT_MARK_ASM(MP_SEND_END, "%z2")
                     " lw zero, %3(%0)\n" EARSHOT_MARK_ASM(MP_TAKEN_END, "%z2")
                     :
                     : "r"(mp_register(ES_TARGET_MSG_SEND, to)), "rJ"(word), "rJ"(to), "i"(ES_TARGET_MSG_TAKEN - ES_TARGET_MSG_SEND)
                     : "memory");
}

MP_INLINE uint32_t mp_recv(unsigned from)
{
    uint32_t word;
    __asm__ volatile(EARSHOT_MARK_ASM(MP_RECV_BEGIN, "%z2") " lw %0, 0(%1)\n" EARSHOT_MARK_ASM(MP_RECV_END, "%z2")
                     : "=&r"(word)
                     : "r"(mp_register(ES_TARGET_MSG_RECV, from)), "rJ"(from)
                     : "memory");
    return word;
}

/* Returns the message; *from is the core that sent it. */
MP_INLINE uint32_t mp_any_recv(unsigned *from)
{
    __asm__ volatile(EARSHOT_MARK_ASM(MP_ANY_BEGIN, "zero") " lw %0, 0(%1)\n" EARSHOT_MARK_ASM(MP_ANY_FOUND, "%0")
                     : "=r"(*from)
                     : "r"(mp_register(ES_TARGET_MSG_ANY, 0))
                     : "memory");
    return mp_recv(*from);
}

/* True when there was a message; it is in *word then. */
MP_INLINE bool mp_async_recv(unsigned from, uint32_t *word)
{
    uint32_t there;
    __asm__ volatile(EARSHOT_MARK_ASM(MP_TEST_BEGIN, "%z2") " lw %0, 0(%1)\n"
                     : "=r"(there)
                     : "r"(mp_register(ES_TARGET_MSG_TEST, from)), "rJ"(from)
                     : "memory");
    if (there) {
        *word = mp_recv(from);
        return true;
    }
    __asm__ volatile(EARSHOT_MARK_ASM(MP_TEST_NONE, "%z0") : : "rJ"(from) : "memory");
    return false;
}

/* Dissemination barrier: in round k each core tells the one 2^k further and hears from the one 2^k before. Messages of the program's own that
 * have not been taken yet must not be on their way between those. */
MP_INLINE void mp_barrier(void)
{
    const unsigned self = mp_core(), cores = mp_cores();
    earshot_mark_value(MP_BARRIER_BEGIN, self);
    for (unsigned step = 1; step < cores; step *= 2) {
        unsigned to = self + step, from = self + cores - step;
        mp_async_send(to < cores ? to : to - cores, 0);
        mp_recv(from < cores ? from : from - cores);
    }
    earshot_mark_value(MP_BARRIER_END, self);
}

#endif
