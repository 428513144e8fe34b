/* What the files of sharing.h share. */
#ifndef ES_PREDICT_SHARING_PRIVATE_H
#define ES_PREDICT_SHARING_PRIVATE_H

#include "predict/sharing.h"

#define ES_SHARING_LIBRARY UINT16_MAX

/* By thread: up to which of its own steps the events say that all came before. */
typedef struct clocks {
    uint32_t *of;
    uint32_t count;
} clocks;

/* Who has written a byte, at which of its steps; doubt: it follows from what nothing but time decides. */
typedef struct written {
    uint32_t step;
    uint16_t thread; /* + 1; 0: nobody, or the library; ES_SHARING_LIBRARY: in one of its objects */
    bool doubt;
    bool several; /* threads have */
} written;

typedef struct sharing_thread {
    clocks before;
    uint32_t synced;           /* its step when others had last told it of theirs */
    uint32_t aside, aside_end; /* registers in doubt from there on */
    uint32_t doubts;           /* a bit for each register */
    uint8_t loads;             /* register that the access is for; 0: none */
    bool doubted, stores;      /* the address, or the value that is stored, is in doubt; it stores */
} sharing_thread;

typedef struct sharing_object {
    clocks meet, met; /* of a barrier: who has come; who had when the last one came */
    uint32_t here;
    clocks *under_way; /* of a queue or semaphore, from its first on */
    size_t first, count, room;
} sharing_object;

struct es_predict_sharing {
    bool decides;
    written *bytes; /* of the memory */
    sharing_thread *threads;
    uint32_t thread_count;
    sharing_object *objects;
    uint32_t object_count;
};

uint32_t es_sharing_clock(const clocks *c, uint32_t thread);
void es_sharing_join(clocks *to, const clocks *from);                      /* the later of both, by thread */
sharing_thread *es_sharing_thread(es_predict_sharing *s, uint32_t thread); /* NULL: there are too many */
sharing_object *es_sharing_object(es_predict_sharing *s, uint32_t object);

#endif
