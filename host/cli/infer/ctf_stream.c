#include "cli/infer/ctf_stream.h"

#include "cli/infer/ctf_first.h"

typedef es_infer_ctf_stream stream;

void es_infer_ctf_stream_release(stream *t)
{
    while (t->next < t->count)
        bt_message_put_ref(t->messages[t->next++]);
    bt_message_iterator_put_ref(t->iterator);
    t->iterator = NULL;
}

static void set_time(stream *t, const bt_clock_snapshot *snapshot)
{
    (void)bt_clock_snapshot_get_ns_from_origin(snapshot, &t->time);
}

static void add_loss(stream *t, const bt_clock_snapshot *begin, const bt_clock_snapshot *end, uint64_t count)
{
    if (t->loss_count == ES_INFER_CTF_LOSSES_MAX)
        return;
    es_infer_loss *loss = &t->losses[t->loss_count];
    *loss = (es_infer_loss){.begin = t->time, .end = t->time, .count = count};
    bool timed = begin && end;
    if (timed) {
        (void)bt_clock_snapshot_get_ns_from_origin(begin, &loss->begin);
        (void)bt_clock_snapshot_get_ns_from_origin(end, &loss->end);
    }
    if (loss->end < loss->begin)
        loss->end = loss->begin;
    loss->end = es_infer_ctf_after(loss->end);
    t->timed[t->loss_count++] = timed;
}

static void add_lost_events(stream *t, const bt_message *m)
{
    uint64_t count = 0;
    const bt_stream_class *class = bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(m));
    bool timed = bt_stream_class_discarded_events_have_default_clock_snapshots(class);
    if (bt_message_discarded_events_get_count(m, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE || count > INT64_MAX)
        count = 0; /* a count that has gone down is no count */
    add_loss(t, timed ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(m) : NULL,
             timed ? bt_message_discarded_events_borrow_end_default_clock_snapshot_const(m) : NULL, count);
}

static void add_lost_packets(stream *t, const bt_message *m)
{
    const bt_stream_class *class = bt_stream_borrow_class_const(bt_message_discarded_packets_borrow_stream_const(m));
    bool timed = bt_stream_class_discarded_packets_have_default_clock_snapshots(class);
    add_loss(t, timed ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(m) : NULL,
             timed ? bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(m) : NULL, 0);
}

/* What all packets say alike, as of which CPU they are, holds for lost events, too. */
static void see_field(stream *t, const bt_packet *packet)
{
    es_infer_value value = 0;
    if (!t->begun)
        t->field = es_infer_ctf_fields_of_packet(t->fields,
                                                 bt_stream_borrow_class_const(bt_packet_borrow_stream_const(packet)));
    if (t->field != ES_INFER_NONE &&
        (!es_infer_ctf_fields_packet_value(t->fields, packet, t->field, &value) || (t->begun && value != t->value)))
        t->field = ES_INFER_NONE;
    t->value = value;
    for (uint32_t i = 0; i < t->loss_count; i++) {
        t->losses[i].of_one = t->field != ES_INFER_NONE;
        t->losses[i].field = t->field;
        t->losses[i].value = value;
    }
}

/* Packets of some older tracers begin before the end of those before them, and so do losses between the two. */
static void begin_packet(stream *t, const bt_message *m)
{
    const bt_packet *packet = bt_message_packet_beginning_borrow_packet_const(m);
    const bt_stream *of = bt_packet_borrow_stream_const(packet);
    see_field(t, packet);
    if (bt_stream_class_packets_have_beginning_default_clock_snapshot(bt_stream_borrow_class_const(of))) {
        const bt_clock_snapshot *begin = bt_message_packet_beginning_borrow_default_clock_snapshot_const(m);
        set_time(t, begin);
        for (uint32_t i = 0; i < t->loss_count; i++)
            if (t->timed[i] && t->losses[i].begin > t->time)
                t->losses[i].begin = t->time;
        if (!t->begun)
            t->lacks_first = es_infer_ctf_lacks_first(bt_stream_get_name(of), bt_clock_snapshot_get_value(begin));
        t->first_begin = t->begun ? t->first_begin : t->time;
    }
    t->begun = true;
}

/* Looks at a message. True: it ends what comes next, so losses are complete, or an event is there. */
static bool look_at(stream *t, const bt_message *m)
{
    const bt_clock_class *clock;
    switch (bt_message_get_type(m)) {
    case BT_MESSAGE_TYPE_EVENT:
        clock = bt_stream_class_borrow_default_clock_class_const(bt_event_class_borrow_stream_class_const(
            bt_event_borrow_class_const(bt_message_event_borrow_event_const(m))));
        if (clock)
            set_time(t, bt_message_event_borrow_default_clock_snapshot_const(m));
        return true;
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS: add_lost_events(t, m); return false;
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS: add_lost_packets(t, m); return false;
    case BT_MESSAGE_TYPE_PACKET_BEGINNING: begin_packet(t, m); return t->loss_count;
    case BT_MESSAGE_TYPE_PACKET_END: t->closing |= t->open; return false;
    default: return false;
    }
}

static void set_key(stream *t)
{
    int64_t key = t->loss_count && t->timed[0] ? t->losses[0].begin : t->time;
    t->key = key > t->key ? key : t->key;
}

int es_infer_ctf_stream_advance(stream *t)
{
    while (!t->ended) {
        if (t->next == t->count) {
            bt_message_iterator_next_status status = bt_message_iterator_next(t->iterator, &t->messages, &t->count);
            t->next = 0;
            t->ended = status == BT_MESSAGE_ITERATOR_NEXT_STATUS_END;
            if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK) {
                t->count = 0;
                if (t->ended && t->loss_count)
                    set_key(t);
                return t->ended ? t->loss_count > 0 : -1;
            }
        }
        const bt_message *m = t->messages[t->next];
        bool there = look_at(t, m);
        if (there) {
            set_key(t);
            return 1;
        }
        bt_message_put_ref(m);
        t->next++;
    }
    return 0;
}
