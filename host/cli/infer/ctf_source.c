/* A graph of libbabeltrace2: a ctf.fs source for each folder with metadata, the muxer, and our sink. */
#include "cli/infer/ctf_source.h"

#include <babeltrace2/babeltrace.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/infer/ctf_fields.h"

#define FOLDERS_MAX 4096u
#define DEPTH_MAX 8u

typedef struct reading {
    es_infer_words *words;
    const es_infer_sink *sink;
    es_error *err;
    bool failed; /* the sink has said so */
    es_infer_ctf_fields *fields;
    bt_message_iterator *messages;
    int64_t time;
} reading;

/* --- messages -------------------------------------------------------------------------------------------------- */

static bool take_event(reading *r, const bt_message *message)
{
    const bt_event *event = bt_message_event_borrow_event_const(message);
    const bt_clock_class *clock = bt_stream_class_borrow_default_clock_class_const(
        bt_event_class_borrow_stream_class_const(bt_event_borrow_class_const(event)));
    if (clock)
        (void)bt_clock_snapshot_get_ns_from_origin(bt_message_event_borrow_default_clock_snapshot_const(message),
                                                   &r->time);
    es_infer_event seen = {.time = r->time};
    es_infer_ctf_fields_read(r->fields, event, &seen);
    return r->sink->event(r->sink->context, &seen, r->err);
}

static bool give_gap(reading *r, const bt_clock_snapshot *begin, const bt_clock_snapshot *end, uint64_t count)
{
    int64_t from = r->time, to = r->time;
    if (begin && end) {
        (void)bt_clock_snapshot_get_ns_from_origin(begin, &from);
        (void)bt_clock_snapshot_get_ns_from_origin(end, &to);
    }
    return r->sink->gap(r->sink->context, from, to < from ? from : to, count, r->err);
}

static bool take_lost_events(reading *r, const bt_message *m)
{
    uint64_t count = 0;
    const bt_stream_class *stream = bt_stream_borrow_class_const(bt_message_discarded_events_borrow_stream_const(m));
    bool timed = bt_stream_class_discarded_events_have_default_clock_snapshots(stream);
    if (bt_message_discarded_events_get_count(m, &count) != BT_PROPERTY_AVAILABILITY_AVAILABLE || count > INT64_MAX)
        count = 0; /* a count that has gone down is no count */
    return give_gap(r, timed ? bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(m) : NULL,
                    timed ? bt_message_discarded_events_borrow_end_default_clock_snapshot_const(m) : NULL, count);
}

static bool take_lost_packets(reading *r, const bt_message *m)
{
    const bt_stream_class *stream = bt_stream_borrow_class_const(bt_message_discarded_packets_borrow_stream_const(m));
    bool timed = bt_stream_class_discarded_packets_have_default_clock_snapshots(stream);
    return give_gap(r, timed ? bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(m) : NULL,
                    timed ? bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(m) : NULL, 0);
}

static bool take_message(reading *r, const bt_message *message)
{
    switch (bt_message_get_type(message)) {
    case BT_MESSAGE_TYPE_EVENT: return take_event(r, message);
    case BT_MESSAGE_TYPE_DISCARDED_EVENTS: return take_lost_events(r, message);
    case BT_MESSAGE_TYPE_DISCARDED_PACKETS: return take_lost_packets(r, message);
    default: return true;
    }
}

static bt_graph_simple_sink_component_initialize_func_status sink_begin(bt_message_iterator *iterator, void *data)
{
    ((reading *)data)->messages = iterator;
    return BT_GRAPH_SIMPLE_SINK_COMPONENT_INITIALIZE_FUNC_STATUS_OK;
}

static bt_graph_simple_sink_component_consume_func_status sink_consume(bt_message_iterator *iterator, void *data)
{
    reading *r = data;
    bt_message_array_const messages;
    uint64_t count;
    bt_message_iterator_next_status status = bt_message_iterator_next(iterator, &messages, &count);
    if (status != BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
        return (bt_graph_simple_sink_component_consume_func_status)status;
    for (uint64_t i = 0; i < count; i++) {
        r->failed = r->failed || !take_message(r, messages[i]);
        bt_message_put_ref(messages[i]);
    }
    return r->failed ? BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_END
                     : BT_GRAPH_SIMPLE_SINK_COMPONENT_CONSUME_FUNC_STATUS_OK;
}

/* --- the graph ------------------------------------------------------------------------------------------------- */

typedef struct folders {
    char *names[FOLDERS_MAX];
    unsigned count;
} folders;

static void find_folders(folders *f, const char *path, unsigned depth)
{
    char name[4096];
    DIR *directory = opendir(path);
    if (!directory)
        return;
    if (snprintf(name, sizeof name, "%s/metadata", path) < (int)sizeof name && access(name, R_OK) == 0 &&
        f->count < FOLDERS_MAX)
        f->names[f->count++] = strdup(path);
    for (const struct dirent *entry; depth < DEPTH_MAX && (entry = readdir(directory));)
        if (entry->d_name[0] != '.' && entry->d_type == DT_DIR &&
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name) < (int)sizeof name)
            find_folders(f, name, depth + 1);
    closedir(directory);
}

static bool fail_trace(const char *path, es_error *err)
{
    const bt_error *error = bt_current_thread_take_error();
    const char *why = error && bt_error_get_cause_count(error)
                          ? bt_error_cause_get_message(bt_error_borrow_cause_by_index(error, 0))
                          : "libbabeltrace2 does not say why";
    es_fail(err, ES_USAGE, "%s: the trace cannot be read: %.1500s", path, why);
    if (error)
        bt_error_release(error);
    return false;
}

/* The plugins that the graph's components come from. */
typedef struct plugins {
    const bt_plugin *ctf, *utils;
} plugins;

static bool find_plugins(plugins *p)
{
    return bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &p->ctf) == BT_PLUGIN_FIND_STATUS_OK &&
           bt_plugin_find("utils", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &p->utils) ==
               BT_PLUGIN_FIND_STATUS_OK;
}

static bool connect_source(bt_graph *graph, const bt_component_source *source, const bt_component_filter *muxer,
                           uint64_t *ports)
{
    for (uint64_t i = 0; i < bt_component_source_get_output_port_count(source); i++)
        if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
                                   bt_component_filter_borrow_input_port_by_index_const(muxer, (*ports)++),
                                   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
            return false;
    return true;
}

static bool add_source(bt_graph *graph, const plugins *p, const char *folder, unsigned number,
                       const bt_component_source **source)
{
    char name[32];
    snprintf(name, sizeof name, "source%u", number);
    bt_value *params = bt_value_map_create(), *inputs = bt_value_array_create();
    bool good =
        params && inputs &&
        bt_value_array_append_string_element(inputs, folder) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
        bt_value_map_insert_entry(params, "inputs", inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(p->ctf, "fs"), name,
                                      params, BT_LOGGING_LEVEL_NONE, source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    bt_value_put_ref(params);
    bt_value_put_ref(inputs);
    return good;
}

static bool build_graph(bt_graph *graph, const plugins *p, const folders *f, reading *r)
{
    const bt_component_filter *muxer;
    const bt_component_sink *sink;
    uint64_t ports = 0;
    if (bt_graph_add_filter_component(graph, bt_plugin_borrow_filter_component_class_by_name_const(p->utils, "muxer"),
                                      "muxer", NULL, BT_LOGGING_LEVEL_NONE,
                                      &muxer) != BT_GRAPH_ADD_COMPONENT_STATUS_OK ||
        bt_graph_add_simple_sink_component(graph, "sink", sink_begin, sink_consume, NULL, r, &sink) !=
            BT_GRAPH_ADD_COMPONENT_STATUS_OK)
        return false;
    for (unsigned i = 0; i < f->count; i++) {
        const bt_component_source *source;
        if (!add_source(graph, p, f->names[i], i, &source) || !connect_source(graph, source, muxer, &ports))
            return false;
    }
    return bt_graph_connect_ports(graph, bt_component_filter_borrow_output_port_by_index_const(muxer, 0),
                                  bt_component_sink_borrow_input_port_by_index_const(sink, 0),
                                  NULL) == BT_GRAPH_CONNECT_PORTS_STATUS_OK;
}

bool es_infer_read_ctf(const char *directory, es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    reading r = {.words = words, .sink = sink, .err = err, .fields = es_infer_ctf_fields_new(words)};
    plugins p = {NULL, NULL};
    folders *f = calloc(1, sizeof *f);
    bool good = f != NULL;
    bt_graph *graph = NULL;
    if (good)
        find_folders(f, directory, 0);
    if (good && !f->count)
        good = es_fail(err, ES_USAGE, "%s: this is no trace: there is no file 'metadata' in it or below it", directory);
    if (good && (!find_plugins(&p) || !(graph = bt_graph_create(0)) || !build_graph(graph, &p, f, &r)))
        good = fail_trace(directory, err);
    if (good && bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK && !r.failed)
        good = fail_trace(directory, err);
    good = good && !r.failed;
    bt_graph_put_ref(graph);
    bt_plugin_put_ref(p.ctf);
    bt_plugin_put_ref(p.utils);
    for (unsigned i = 0; f && i < f->count; i++)
        free(f->names[i]);
    free(f);
    es_infer_ctf_fields_free(r.fields);
    return good;
}
