/* Statics that have namesakes in parts2.c, and C variables that C++ has too. */
#include "parts.h"

int total; /* the C++ one is app::total */
static int state;

/* Messages that nothing but an untyped pointer leads to. */
typedef struct msg {
    int id;
    unsigned short size;
} msg_t;
static msg_t mails[2];
void *any;
unsigned raw; /* an address as a number */

static int step(int v)
{
    int part = v * 3;
    state += part;
    TOLD("parts.c\\step", part);
    return part;
}

static int only_here(int v)
{
    return step(v) + 1;
}

int parts(int v)
{
    total = only_here(v) + only_here(v + 1) + shared(v);
    for (int i = 0; i < 5; i++)
        total += parts2(i);
    for (int i = 0; i < 4; i++) {
        any = &mails[i & 1];
        raw = (unsigned)(unsigned long)&mails[1];
        mails[i & 1].id = 10 * i;
        TOLD("((struct msg *)any)->id", 10 * i);
        mails[1].size = (unsigned short)(60000 + i);
        TOLD("(*(msg_t *)raw).size", 60000 + i);
        TOLD("((const unsigned short *)raw)[2]", 60000 + i);
    }
    return total;
}
