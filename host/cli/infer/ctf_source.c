/* A graph of libbabeltrace2: a ctf.fs source for each folder with metadata, and our sink, which merges their
 * streams. */
#include "cli/infer/ctf_source.h"

#include <babeltrace2/babeltrace.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/infer/ctf_streams.h"

#define FOLDERS_MAX 4096u
#define DEPTH_MAX 8u

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

static bool add_source(bt_graph *graph, const bt_plugin *ctf, const char *folder, unsigned number,
                       const bt_component_source **source)
{
    char name[32];
    snprintf(name, sizeof name, "source%u", number);
    bt_value *params = bt_value_map_create(), *inputs = bt_value_array_create();
    bool good =
        params && inputs &&
        bt_value_array_append_string_element(inputs, folder) == BT_VALUE_ARRAY_APPEND_ELEMENT_STATUS_OK &&
        bt_value_map_insert_entry(params, "inputs", inputs) == BT_VALUE_MAP_INSERT_ENTRY_STATUS_OK &&
        bt_graph_add_source_component(graph, bt_plugin_borrow_source_component_class_by_name_const(ctf, "fs"), name,
                                      params, BT_LOGGING_LEVEL_NONE, source) == BT_GRAPH_ADD_COMPONENT_STATUS_OK;
    bt_value_put_ref(params);
    bt_value_put_ref(inputs);
    return good;
}

static bool connect_source(bt_graph *graph, const bt_component_source *source, const bt_component_sink *sink,
                           uint64_t *ports)
{
    for (uint64_t i = 0; i < bt_component_source_get_output_port_count(source); i++)
        if (bt_graph_connect_ports(graph, bt_component_source_borrow_output_port_by_index_const(source, i),
                                   bt_component_sink_borrow_input_port_by_index_const(sink, (*ports)++),
                                   NULL) != BT_GRAPH_CONNECT_PORTS_STATUS_OK)
            return false;
    return true;
}

static bool build_graph(bt_graph *graph, const bt_plugin *ctf, const folders *f, es_infer_ctf_streams *streams)
{
    const bt_component_source **sources = calloc(f->count, sizeof *sources);
    const bt_component_sink *sink;
    uint64_t ports = 0;
    bool good = sources != NULL;
    for (unsigned i = 0; good && i < f->count; i++) {
        good = add_source(graph, ctf, f->names[i], i, &sources[i]);
        ports += good ? bt_component_source_get_output_port_count(sources[i]) : 0;
    }
    good = good && es_infer_ctf_streams_add(streams, graph, ports, &sink);
    ports = 0;
    for (unsigned i = 0; good && i < f->count; i++)
        good = connect_source(graph, sources[i], sink, &ports);
    free(sources);
    return good;
}

bool es_infer_read_ctf(const char *directory, es_infer_words *words, const es_infer_sink *sink, es_error *err)
{
    es_infer_ctf_streams *streams = es_infer_ctf_streams_new(words, sink, err);
    const bt_plugin *ctf = NULL;
    folders *f = calloc(1, sizeof *f);
    bool good = f != NULL;
    bt_graph *graph = NULL;
    if (good)
        find_folders(f, directory, 0);
    if (good && !f->count)
        good = es_fail(err, ES_USAGE, "%s: this is no trace: there is no file 'metadata' in it or below it", directory);
    if (good &&
        (bt_plugin_find("ctf", BT_TRUE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &ctf) != BT_PLUGIN_FIND_STATUS_OK ||
         !(graph = bt_graph_create(0)) || !build_graph(graph, ctf, f, streams)))
        good = fail_trace(directory, err);
    if (good && bt_graph_run(graph) != BT_GRAPH_RUN_STATUS_OK && !es_infer_ctf_streams_failed(streams))
        good = fail_trace(directory, err);
    good = good && !es_infer_ctf_streams_failed(streams);
    bt_graph_put_ref(graph);
    bt_plugin_put_ref(ctf);
    for (unsigned i = 0; f && i < f->count; i++)
        free(f->names[i]);
    free(f);
    es_infer_ctf_streams_free(streams);
    return good;
}
