#ifndef PARTS_H
#define PARTS_H

#ifdef TELL
#include <stdio.h>
#define TOLD(name, value) printf("%s %d\n", name, (int)(value))
#else
static volatile int told; /* keeps the compiler from leaving calls out */
#define TOLD(name, value) (void)(told = (int)(value))
#endif

int parts2(int v);

/* A copy in each file that includes this. */
static int shared(int v)
{
    int doubled = 2 * v;
    TOLD("shared", doubled);
    return doubled;
}

#endif
