#include "base/roomy.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define STACK_BYTES ((size_t)16 << 20)

struct call {
    void (*function)(void *);
    void *context;
};

static void *begin(void *argument)
{
    const struct call *call = argument;
    call->function(call->context);
    return NULL;
}

void es_roomy_call(void (*function)(void *), void *context)
{
    struct call call = {function, context};
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) != 0) {
        function(context);
        return;
    }
    bool made = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
                pthread_create(&thread, &attributes, begin, &call) == 0;
    pthread_attr_destroy(&attributes);
    if (made)
        pthread_join(thread, NULL);
    else
        function(context);
}
