/* Records as bytes: what is kept of the hits before changes nothing. */
#include "check_main.h"

#include "draw.h"
#include "made.h"
#include "store/encode.h"

#define RECORDS 20000
#define ROOM 4096

static void forget_heads(es_encoder *encoder)
{
    for (size_t i = 0; i < encoder->schema->statement_count; i++)
        encoder->hits[i].head_size = 0;
}

/* Hits from a few places, and new ones: the same bytes as when each is written as if it were the first. */
START_TEST(kept_heads)
{
    static uint8_t kept[ROOM], anew[ROOM];
    es_encoder with, without;
    draw_seed = 31;
    es_schema *schema = made_schema();
    es_encoder_begin(&with, schema);
    es_encoder_begin(&without, schema);
    size_t reused = 0;
    for (unsigned i = 0; i < RECORDS; i++) {
        const es_record *record = made_record(schema);
        if (record->kind == ES_RECORD_HIT) {
            const es_hit_plan *plan = &with.hits[record->hit->statement];
            reused += plan->head_size && memcmp(plan->where, es_hit_where(record->hit), sizeof plan->where) == 0;
        }
        ck_assert_uint_le(es_encode_room(&with, record), ROOM);
        if (i % 1000 == 999) {
            es_encoder_forget(&with);
            es_encoder_forget(&without);
        }
        forget_heads(&without);
        size_t size = (size_t)(es_encode(&with, kept, record) - kept);
        ck_assert_uint_eq(size, (size_t)(es_encode(&without, anew, record) - anew));
        ck_assert_mem_eq(kept, anew, size);
        ck_assert_uint_le(size + 8, es_encode_room(&with, record));
    }
    ck_assert_uint_gt(reused, RECORDS / 10);
    es_encoder_end(&with);
    es_encoder_end(&without);
    es_schema_free(schema);
}
END_TEST

/* A field of 24 bits: other readers take all 32 that it is stored in. */
START_TEST(bits_above)
{
    static const struct {
        uint8_t bits;
        bool is_signed;
        uint64_t value;
        uint32_t stored;
    } cases[] = {{24, false, 0xFFFFFFFFFF800001, 0x00800001},
                 {24, true, 0x1234567800800001, 0xFF800001},
                 {3, true, 0xFC, 0xFC},
                 {3, false, 0xFC, 0x04},
                 {32, true, 0x1234567887654321, 0x87654321},
                 {16, false, 0x12345678, 0x5678}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t bytes[256];
        es_encoder encoder;
        const es_field field = {
            .name = "x", .kind = ES_FIELD_INT, .bits = cases[i].bits, .is_signed = cases[i].is_signed};
        const es_value value = {.bits = cases[i].value, .known = true};
        es_schema *schema = made_plain_schema();
        es_schema_statement *statement = (es_schema_statement *)schema->statements;
        statement->fields = &field;
        es_encoder_begin(&encoder, schema);
        es_hit hit = *made_plain_hit(schema, 5)->hit;
        hit.values = &value;
        uint8_t *end = es_encode_hit(&encoder, bytes, &hit);
        size_t size = es_slot_of(&field).bytes; /* then the number of reasons, 0 */
        uint32_t stored = es_get32(end - 1 - size) & (size == 4 ? UINT32_MAX : (1u << 8 * size) - 1);
        ck_assert_uint_eq(stored, cases[i].stored);
        es_encoder_end(&encoder);
        es_schema_free(schema);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("records as bytes");
    TCase *tests = tcase_create("encoder");
    tcase_add_test(tests, kept_heads);
    tcase_add_test(tests, bits_above);
    suite_add_tcase(suite, tests);
    return check_main(suite);
}
