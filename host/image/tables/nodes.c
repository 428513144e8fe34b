/* From a node, a call leads to where its column's cell says, if that is of the node's row, else to the node's `other`.
 *
 * A procedure without column leads to `other`, too, which takes least time; so that is what `other` is, as a rule. In
 * dense tables it is where most columns lead, and all procedures without one of their own have one in common. Where
 * many paths are told apart, most calls lead to the state in which nothing can follow any more, and dense tables are
 * half as large. */
#include "image/tables/nodes.h"

#include <string.h>

#include "image/image.h"
#include "image/places/ppat.h"
#include "image/plan/plan.h"
#include "image/tables/frames.h"
#include "image/tables/layout.h"
#include "image/tables/map.h"
#include "probe_defs.h"
#include "symbols/code.h"

#define COLUMNS_MAX (0xFFFFu / ES_MI_MOVE_SIZE)

/* Number of a column in the tables, from 1 on; in dense ones 1 is that of procedures without one of their own. */
static uint32_t column_number(const image_builder *b, size_t column)
{
    return (uint32_t)column + 1 + b->options.dense;
}

static uint16_t column_at(const image_builder *b, size_t column)
{
    return (uint16_t)(ES_MI_MOVE_SIZE * column_number(b, column));
}

/* Which column a procedure's activations have; column 0 is for procedures without. */
static void write_columns(image_builder *b)
{
    const ppat_column *columns = b->ppat.columns;
    for (size_t i = 0; i < b->procedure_count; i++)
        b->control_of[i].column = b->options.dense ? ES_MI_MOVE_SIZE : 0;
    for (size_t i = 0, end; i < b->ppat.column_count; i = end) {
        struct es_mi_procedure *procedure = &b->control_of[es_layout_procedure_index(b, columns[i].procedure)];
        for (end = i; end < b->ppat.column_count && columns[end].procedure == columns[i].procedure; end++)
            ;
        procedure->column = column_at(b, i); /* that of the sites that have none of their own */
        if (end == i + 1)
            continue;
        struct es_mi_site *sites = es_arena_alloc(b->arena, (end - i) * sizeof *sites);
        for (size_t k = i; k < end; k++) {
            size_t c = k + 1 < end ? k + 1 : i;
            uint32_t site = columns[c].site ? es_symbols_site(b->symbols, columns[c].site) : 0;
            sites[k - i] = (struct es_mi_site){site, column_at(b, c), 0};
        }
        procedure->column = (uint16_t)(es_layout_put(b, sites, (end - i) * sizeof *sites) + ES_MI_COLUMN_BY_SITE);
    }
}

static uint32_t node_address(const image_builder *b, uint32_t nodes_at, size_t node)
{
    return nodes_at +
           (uint32_t)(node * (sizeof(struct es_mi_node) + sizeof(uint32_t) * ((b->plan.path_bits + 31) / 32)));
}

/* What a node's automaton state tells of the paths, as words. */
static void write_tells(image_builder *b, size_t node, uint32_t *words)
{
    for (size_t p = 0; p < b->plan.path_count; p++) {
        uint8_t tells = b->ppat.paths.tells[b->ppat.nodes[node].state * b->plan.path_count + p];
        for (unsigned k = 0; k < 2; k++)
            if (tells >> k & 1)
                words[b->plan.paths[p].bit[k] / 32] |= 1u << b->plan.paths[p].bit[k] % 32;
    }
}

/* Where most columns lead from a node, whose `count` moves are those that lead to somewhere else than procedures
 * without. */
static size_t most_lead_to(const ppat_node *node, const ppat_move *moves, size_t count, size_t columns)
{
    size_t most = columns - count + 1, to = node->other;
    for (size_t i = 0; i < count; i++) {
        size_t same = 0;
        for (size_t k = i; k < count; k++)
            same += moves[k].to == moves[i].to;
        if (same > most)
            most = same, to = moves[i].to;
    }
    return to;
}

/* The keys of a node's row, of all columns but those that lead to `other`. */
static size_t add_row(const image_builder *b, uint32_t nodes_at, size_t node, const ppat_move *moves, size_t count,
                      size_t other, map_key *keys)
{
    size_t key_count = 0, outside = b->ppat.nodes[node].other, next = 0;
    uint32_t from = node_address(b, nodes_at, node);
    if (outside != other)
        keys[key_count++] = (map_key){(uint32_t)node, 1, (uint16_t)from | node_address(b, nodes_at, outside) << 16};
    for (size_t c = 0; c < b->ppat.column_count; c++) {
        size_t to = next < count && moves[next].column == c ? moves[next++].to : outside;
        if (to != other)
            keys[key_count++] =
                (map_key){(uint32_t)node, column_number(b, c), (uint16_t)from | node_address(b, nodes_at, to) << 16};
    }
    return key_count;
}

/* The keys of all rows; `others`: by node, where its `other` is. */
static map_key *find_keys(const image_builder *b, uint32_t nodes_at, size_t *others, size_t *key_count)
{
    const image_ppat *ppat = &b->ppat;
    map_key *keys = NULL;
    size_t room = 0;
    *key_count = 0;
    for (size_t i = 0, m = 0; i < ppat->count; i++) {
        const ppat_move *moves = ppat->moves + m;
        size_t count = 0;
        while (m + count < ppat->move_count && moves[count].from == i)
            count++;
        m += count;
        others[i] = ppat->nodes[i].other;
        if (b->options.dense)
            others[i] = most_lead_to(&ppat->nodes[i], moves, count, ppat->column_count);
        if (*key_count + ppat->column_count + 1 > room) {
            map_key *larger = es_arena_alloc(b->arena, (room = 2 * room + ppat->column_count + 1) * sizeof *larger);
            if (keys)
                memcpy(larger, keys, *key_count * sizeof *keys);
            keys = larger;
        }
        *key_count += add_row(b, nodes_at, i, moves, count, others[i], keys + *key_count);
    }
    return keys;
}

bool es_nodes_write(image_builder *b, uint16_t *root)
{
    const image_ppat *ppat = &b->ppat;
    *root = 0;
    if (ppat->count == 0)
        return true;
    if (ppat->column_count + 1 >= COLUMNS_MAX)
        return es_fail(b->err, ES_USAGE,
                       "the statements tell %zu procedures apart, the probe at most %u: watch fewer "
                       "paths and locals",
                       ppat->column_count, COLUMNS_MAX - 2);
    write_columns(b);
    uint32_t nodes_at = es_layout_reserve(b, node_address(b, 0, ppat->count));
    size_t key_count, *others = es_arena_alloc(b->arena, ppat->count * sizeof *others);
    map_key *keys = find_keys(b, nodes_at, others, &key_count);
    map_packed map;
    es_map_pack(&map, b->arena, keys, key_count, (uint32_t)ppat->count, column_number(b, ppat->column_count), true);
    uint32_t moves_at = es_layout_put(b, map.cells, map.cell_count * sizeof(struct es_mi_move));
    for (size_t i = 0; i < ppat->count; i++) {
        const ppat_node *node = &ppat->nodes[i];
        struct es_mi_node *out = es_layout_at(b, node_address(b, nodes_at, i));
        *out = (struct es_mi_node){
            .cfa = node->frame ? ES_PHANTOM_BASE + (node->cfa - b->limits->window_base) : 0,
            .row_at = (uint16_t)(moves_at + ES_MI_MOVE_SIZE * (uint32_t)map.rows[i]),
            .other_at = (uint16_t)node_address(b, nodes_at, others[i]),
        };
        write_tells(b, i, (uint32_t *)(out + 1));
    }
    for (size_t i = 0; i < b->plan.frame_count; i++)
        if (!b->plan.frames[i].moves)
            b->control_of[es_layout_procedure_index(b, b->plan.frames[i].procedure)].frame_at =
                es_words_frame(b, &b->plan.frames[i]);
    b->image->nodes = ppat->tree_count;
    *root = (uint16_t)nodes_at;
    return true;
}
