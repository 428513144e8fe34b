/* Messages past examples/mp/mp.h, beside some of it: a net of the marks does not know of them. With -DPOINTERS the code does not tell the
 * registers' addresses, so only the bus shows it. */
#include "mp.h"

#ifdef POINTERS
static volatile uint32_t *volatile outlet = (volatile uint32_t *)(ES_TARGET_MSG_BASE + ES_TARGET_MSG_SEND + 4);
static volatile uint32_t *volatile inlet = (volatile uint32_t *)(ES_TARGET_MSG_BASE + ES_TARGET_MSG_RECV);
#else
#define outlet mp_register(ES_TARGET_MSG_SEND, 1)
#define inlet mp_register(ES_TARGET_MSG_RECV, 0)
#endif

int main(void)
{
    unsigned self = mp_core();
    for (unsigned i = 0; i < 5; i++) {
        if (self == 0) {
            mp_async_send(1, i);
            *outlet = i;
        } else if (self == 1) {
            unsigned got = mp_recv(0);
            got += *inlet;
            earshot_mark_value(5, got);
        }
    }
    return 0;
}
