/* One of several programs of a target, chosen by PART: the test loads one image into each core. */
#include "mp.h"

int main(void)
{
    const unsigned self = mp_core();
    (void)self; /* not every part asks */
#if PART == 0 /* sends 1, 2, 3 to core 1 at once; the third send waits until the first has been taken */
    for (uint32_t i = 1; i <= 3; i++)
        mp_async_send(1, i * 11);
    return 10 + (int)mp_cores();
#elif PART == 1 /* takes them, late */
    while (target_cycles() < 1000)
        ;
    uint32_t sum = mp_recv(0);
    sum = 100 * sum + mp_recv(0);
    sum = 100 * sum + mp_recv(0);
    return sum == 112233 && self == 1 ? 0 : 1;
#elif PART == 2 /* to itself, and what the registers say */
    uint32_t word = 7;
    bool before = mp_async_recv(self, &word);
    uint32_t free_before = *mp_register(ES_TARGET_MSG_FREE, 0);
    mp_async_send(self, 99);
    uint32_t free_after = *mp_register(ES_TARGET_MSG_FREE, 0);
    while (!*mp_register(ES_TARGET_MSG_TEST, self))
        ;
    uint32_t ready = *mp_register(ES_TARGET_MSG_READY, 0);
    bool after = mp_async_recv(self, &word);
    return !(!before && after && word == 99 && free_before == (1u << mp_cores()) - 1 && free_after == (free_before & ~(1u << self)) &&
             ready == 1u << self);
#elif PART == 3 /* waits for somebody */
    unsigned from;
    mp_any_recv(&from);
    return 0;
#elif PART == 4 /* a core that is not there */
    mp_async_send(mp_cores(), 1);
    return 0;
#elif PART == 5 /* half a word to the device */
    *(volatile uint16_t *)mp_register(ES_TARGET_MSG_SEND, 0) = 1;
    return 0;
#elif PART == 6 /* marks of all widths; only whole words count */
    earshot_mark(0);
    earshot_mark_value(511, 0xFFFFFFFFu);
    *(volatile uint8_t *)(ES_MARK_BASE + 8) = 1;
    *(volatile uint16_t *)(ES_MARK_BASE + 8) = 1;
    earshot_mark_value(2, self);
    target_put_char('m');
    return 0;
#elif PART == 7 /* any, when several have arrived: the lowest first */
    while (*mp_register(ES_TARGET_MSG_READY, 0) != 0x0E)
        ;
    for (unsigned expect = 1; expect <= 3; expect++) {
        unsigned from;
        if (mp_any_recv(&from) != 40 + expect || from != expect)
            return 1;
    }
    return 0;
#elif PART == 8 /* tells core 0 */
    mp_sync_send(0, 40 + self);
    return 0;
#elif PART == 9 /* reads the marker window */
    return (int)*(volatile uint32_t *)ES_MARK_BASE;
#endif
}
