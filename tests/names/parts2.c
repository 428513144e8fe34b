#include "parts.h"

static int state;

static int step(int v)
{
    int part = v + 100;
    state -= part;
    TOLD("parts2.c\\step", part);
    return part;
}

int parts2(int v)
{
    return step(v) + shared(v) + step(v + 1);
}
