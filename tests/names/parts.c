/* Statics that have namesakes in parts2.c, and C variables that C++ has too. */
#include "parts.h"

int total; /* the C++ one is app::total */
static int state;

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
    return total;
}
