/* The writer of traces from its beginning to its end. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/trace_private.h"

es_sink es_trace_sink(es_trace *trace)
{
    return (es_sink){es_trace_take, trace};
}

static bool make_directory(es_trace *t, es_error *err)
{
    uint64_t *numbers;
    size_t count;
    t->made = mkdir(t->directory, 0777) == 0;
    if ((!t->made && errno != EEXIST) || !es_chunk_list(t->directory, &numbers, &count))
        return es_fail(err, ES_OUTPUT, "%s: no trace can be written there: %s", t->directory, strerror(errno));
    free(numbers);
    if (count)
        return es_fail(err, ES_OUTPUT, "%s: holds a trace already; remove it or choose another directory",
                       t->directory);
    if (access(t->directory, W_OK | X_OK) != 0)
        return es_fail(err, ES_OUTPUT, "%s: no trace can be written there: %s", t->directory, strerror(errno));
    return true;
}

/* Signals are for the program's other threads; SIGXFSZ must become an error here. */
static bool start_thread(es_trace *t, es_error *err)
{
    sigset_t all, before;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&t->mutex, NULL);
    pthread_cond_init(&t->wake, &monotonic);
    pthread_cond_init(&t->room, &monotonic);
    pthread_condattr_destroy(&monotonic);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&t->thread, NULL, es_trace_thread, t);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return !error || es_fail(err, ES_OUTPUT, "%s: no thread for writing the trace: %s", t->directory, strerror(error));
}

static void free_all(es_trace *t)
{
    for (es_block *block = t->first, *next; block; block = next) {
        next = block->next;
        es_trace_free_block(block);
    }
    for (es_block *block = t->spare, *next; block; block = next) {
        next = block->next;
        es_trace_free_block(block);
    }
    es_trace_free_block(t->open);
    if (t->begun)
        es_encoder_end(&t->encoder);
    es_chunk_end(&t->disk);
    es_text_free(&t->disk.names);
    es_text_free(&t->early);
    es_schema_free(t->schema);
    free(t->directory);
    free(t->probe);
    free(t);
}

static char *copy(const char *text)
{
    size_t size = text ? strlen(text) + 1 : 0;
    return text ? memcpy(es_malloc(size), text, size) : NULL;
}

es_trace *es_trace_create(const es_trace_options *options, es_error *err)
{
    es_trace *t = es_malloc(sizeof *t);
    memset(t, 0, sizeof *t);
    t->options = *options;
    t->options.directory = t->directory = copy(options->directory);
    t->options.probe = t->probe = copy(options->probe);
    t->disk.directory = t->directory;
    t->disk.origin.probe = t->probe;
    t->packet = SIZE_MAX;
    t->chunk = 1;
    es_latch_init(&t->latch);
    if (make_directory(t, err) && start_thread(t, err))
        return t;
    free_all(t);
    return NULL;
}

void es_trace_finish(es_trace *t)
{
    if (t->finished)
        return;
    t->finished = true;
    es_latch_take(&t->latch);
    if (t->losing)
        es_trace_put_pending(t, true);
    t->recovered = 0; /* it does not go on */
    es_block *block = t->begun ? es_trace_take_block(t) : NULL;
    es_latch_give(&t->latch);
    if (block)
        es_trace_push(t, block);
    pthread_mutex_lock(&t->mutex);
    t->closing = true;
    pthread_cond_signal(&t->wake);
    pthread_mutex_unlock(&t->mutex);
    pthread_join(t->thread, NULL);
    es_latch_take(&t->latch);
    for (const es_block *left = t->first; left; left = left->next)
        t->lost += left->records; /* the disk did not take them to the end */
    es_latch_give(&t->latch);
    es_trace_poll(t);
}

bool es_trace_close(es_trace *t, es_error *err)
{
    if (!t)
        return true;
    es_trace_finish(t);
    bool good = !t->failing;
    if (!good)
        es_fail(err, ES_OUTPUT, "%s: the end of the trace could not be written: %s", t->directory, strerror(t->error));
    if (!t->begun && t->made)
        rmdir(t->directory);
    pthread_mutex_destroy(&t->mutex);
    pthread_cond_destroy(&t->wake);
    pthread_cond_destroy(&t->room);
    free_all(t);
    return good;
}
