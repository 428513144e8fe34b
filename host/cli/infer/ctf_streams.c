#include "cli/infer/ctf_streams.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/infer/ctf_fields.h"
#include "cli/infer/ctf_stream.h"

typedef es_infer_ctf_stream stream;

struct es_infer_ctf_streams {
    const es_infer_sink *sink;
    es_error *err;
    es_infer_ctf_fields *fields;
    stream *streams;
    stream **heap; /* those that have something to come; the earliest first */
    uint32_t stream_count, heap_count, open_count;
    int64_t time; /* of the last event of all */
    bool failed;
};

es_infer_ctf_streams *es_infer_ctf_streams_new(es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    es_infer_ctf_streams *s = es_malloc(sizeof *s);
    *s = (es_infer_ctf_streams){.sink = sink, .err = err, .fields = es_infer_ctf_fields_new(words)};
    return s;
}

void es_infer_ctf_streams_free(es_infer_ctf_streams *s)
{
    es_infer_ctf_fields_free(s->fields);
    free(s->streams);
    free(s->heap);
    free(s);
}

bool es_infer_ctf_streams_failed(const es_infer_ctf_streams *s)
{
    return s->failed;
}

/* --- giving it on ---------------------------------------------------------------------------------------------- */

static bool give_losses(es_infer_ctf_streams *s, stream *t)
{
    for (uint32_t i = 0; i < t->loss_count; i++) {
        if (!t->timed[i]) {
            t->losses[i].begin = t->losses[i].end = s->time;
            s->open_count += !t->open;
            t->open = true;
            t->closing = false;
        }
        if (!s->sink->loss(s->sink->context, &t->losses[i], s->err))
            return false;
    }
    t->loss_count = 0;
    return true;
}

static bool give_event(es_infer_ctf_streams *s, stream *t)
{
    es_infer_event event = {.time = t->time};
    es_infer_loss again = {
        .begin = s->time < t->time ? s->time : t->time, .end = es_infer_ctf_after(t->time), .again = true};
    if (s->open_count && !s->sink->loss(s->sink->context, &again, s->err))
        return false;
    if (t->open && t->closing) {
        t->open = t->closing = false;
        s->open_count--;
    }
    s->time = t->time;
    es_infer_ctf_fields_read(s->fields, bt_message_event_borrow_event_const(t->messages[t->next]), &event);
    bool good = s->sink->event(s->sink->context, &event, s->err);
    bt_message_put_ref(t->messages[t->next++]);
    return good;
}

static bool give(es_infer_ctf_streams *s, stream *t)
{
    return t->loss_count ? give_losses(s, t) : give_event(s, t);
}

/* --- all streams ----------------------------------------------------------------------------------------------- */

static bool is_before(const stream *a, const stream *b)
{
    return a->key != b->key ? a->key < b->key : a->order < b->order;
}

/* The stream at a place of the heap may be later than it was there. */
static void sink_down(es_infer_ctf_streams *s, uint32_t place)
{
    stream *t = s->heap[place];
    for (uint32_t child; (child = 2 * place + 1) < s->heap_count; place = child) {
        if (child + 1 < s->heap_count && is_before(s->heap[child + 1], s->heap[child]))
            child++;
        if (!is_before(s->heap[child], t))
            break;
        s->heap[place] = s->heap[child];
    }
    s->heap[place] = t;
}

static bt_component_class_sink_consume_method_status consume(bt_self_component_sink *self)
{
    es_infer_ctf_streams *s = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    if (!s->heap_count)
        return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END;
    stream *t = s->heap[0];
    do {
        s->failed = !give(s, t);
        int more = s->failed ? -1 : es_infer_ctf_stream_advance(t);
        if (more < 0)
            return s->failed ? BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_END
                             : BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_ERROR;
        if (!more) {
            es_infer_ctf_stream_release(t);
            s->heap[0] = s->heap[--s->heap_count];
        }
        if (s->heap_count)
            sink_down(s, 0);
    } while (s->heap_count && s->heap[0] == t);
    return BT_COMPONENT_CLASS_SINK_CONSUME_METHOD_STATUS_OK;
}

static bt_component_class_initialize_method_status initialize(bt_self_component_sink *self,
                                                              bt_self_component_sink_configuration *configuration,
                                                              const bt_value *params, void *data)
{
    es_infer_ctf_streams *s = data;
    (void)configuration;
    (void)params;
    bt_self_component_set_data(bt_self_component_sink_as_self_component(self), s);
    for (uint32_t i = 0; i < s->stream_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "in%" PRIu32, i);
        if (bt_self_component_sink_add_input_port(self, name, NULL, NULL) != BT_SELF_COMPONENT_ADD_PORT_STATUS_OK)
            return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_ERROR;
    }
    return BT_COMPONENT_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

/* What was lost of a stream before its first packet was lost since the first one of all streams. */
static void tell_first(es_infer_ctf_streams *s)
{
    int64_t first = INT64_MAX;
    for (uint32_t i = 0; i < s->heap_count; i++)
        first = s->heap[i]->key < first ? s->heap[i]->key : first;
    for (uint32_t i = 0; i < s->heap_count; i++) {
        stream *t = s->heap[i];
        if (!t->lacks_first || t->first_begin <= first || t->loss_count)
            continue;
        t->losses[0] = (es_infer_loss){.begin = first,
                                       .end = es_infer_ctf_after(t->first_begin),
                                       .of_one = t->field != ES_INFER_NONE,
                                       .field = t->field,
                                       .value = t->value};
        t->timed[0] = true;
        t->loss_count = 1;
        t->key = first;
    }
}

static bt_component_class_sink_graph_is_configured_method_status begin(bt_self_component_sink *self)
{
    es_infer_ctf_streams *s = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    for (uint32_t i = 0; i < s->stream_count; i++) {
        stream *t = &s->streams[i];
        if (bt_message_iterator_create_from_sink_component(
                self, bt_self_component_sink_borrow_input_port_by_index(self, i), &t->iterator) !=
            BT_MESSAGE_ITERATOR_CREATE_FROM_SINK_COMPONENT_STATUS_OK)
            return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
    }
    for (uint32_t i = 0; i < s->stream_count; i++) {
        int more = es_infer_ctf_stream_advance(&s->streams[i]);
        if (more < 0)
            return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_ERROR;
        if (more)
            s->heap[s->heap_count++] = &s->streams[i];
        else
            es_infer_ctf_stream_release(&s->streams[i]);
    }
    tell_first(s);
    for (uint32_t i = s->heap_count / 2; i > 0; i--)
        sink_down(s, i - 1);
    return BT_COMPONENT_CLASS_SINK_GRAPH_IS_CONFIGURED_METHOD_STATUS_OK;
}

static void finalize(bt_self_component_sink *self)
{
    es_infer_ctf_streams *s = bt_self_component_get_data(bt_self_component_sink_as_self_component(self));
    for (uint32_t i = 0; i < s->stream_count; i++)
        es_infer_ctf_stream_release(&s->streams[i]);
}

bool es_infer_ctf_streams_add(es_infer_ctf_streams *s, bt_graph *graph, uint64_t ports, const bt_component_sink **sink)
{
    s->stream_count = (uint32_t)ports;
    s->streams = es_malloc((s->stream_count + 1) * sizeof *s->streams);
    s->heap = es_malloc((s->stream_count + 1) * sizeof *s->heap);
    for (uint32_t i = 0; i < s->stream_count; i++)
        s->streams[i] = (stream){.fields = s->fields, .key = INT64_MIN, .order = i};
    bt_component_class_sink *class = bt_component_class_sink_create("streams", consume);
    bool good =
        class &&
        bt_component_class_sink_set_initialize_method(class, initialize) == BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK &&
        bt_component_class_sink_set_graph_is_configured_method(class, begin) ==
            BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK &&
        bt_component_class_sink_set_finalize_method(class, finalize) == BT_COMPONENT_CLASS_SET_METHOD_STATUS_OK &&
        bt_graph_add_sink_component_with_initialize_method_data(graph, class, "streams", NULL, s, BT_LOGGING_LEVEL_NONE,
                                                                sink) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    bt_component_class_sink_put_ref(class);
    return good;
}
