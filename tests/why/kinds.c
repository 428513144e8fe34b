/* Values of each kind, as parts of structs in both orders of bytes: what a line assigns is what must be told. */
enum mode { OFF, ARMED = 70000, FAILED = -5 };

#define MEMBERS \
    unsigned flags : 5, offset : 22; \
    double exact; \
    float ratio; \
    long long total; \
    int level : 6; \
    enum mode mode, last : 20; \
    _Bool on : 1; \
    short little

struct plain {
    MEMBERS;
} plain;
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OTHER __attribute__((scalar_storage_order("little-endian")))
#else
#define OTHER __attribute__((scalar_storage_order("big-endian")))
#endif
struct OTHER turned {
    MEMBERS;
} turned;

int main(void)
{
    plain.flags = 3;
    plain.offset = 12345;
    plain.exact = 1.5;
    plain.ratio = -2.5;
    plain.total = -7000000000;
    plain.level = -3;
    plain.mode = ARMED;
    plain.last = FAILED;
    plain.on = 1;
    plain.little = -9;
    turned.flags = 3;
    turned.offset = 12345;
    turned.exact = 1.5;
    turned.ratio = -2.5;
    turned.total = -7000000000;
    turned.level = -3;
    turned.mode = ARMED;
    turned.last = FAILED;
    turned.on = 1;
    turned.little = -9;
    return 0;
}
