// What the benches share: counting failures, running named tests.
#ifndef TESTS_LINK_BENCH_H
#define TESTS_LINK_BENCH_H

#include <cstdio>

static int failures; // in the test that runs

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            if (failures++ < 5) \
                printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
        } \
    } while (0)

static unsigned passed, failed;

template <typename Test> static void run(const char *name, Test test)
{
    failures = 0;
    test();
    if (failures)
        printf("FAIL %s\n", name);
    (failures ? failed : passed)++;
}

#endif
