#include "numbered.h"

#include "../support/check_main.h"

uint8_t byte_at(uint64_t n)
{
    uint64_t x = (n + 1) * 0x9E3779B97F4A7C15u;
    return (uint8_t)(x >> 56);
}

static size_t probe_read(void *context, uint8_t *bytes, size_t size)
{
    probe *p = context;
    size_t most = p->most ? 1 + p->reads++ * 7919 % p->most : size;
    size = size < most ? size : most;
    size_t count = p->limit - p->given < size ? (size_t)(p->limit - p->given) : size;
    for (size_t i = 0; i < count; i++)
        bytes[i] = byte_at(p->given++);
    return count;
}

static size_t probe_write(void *context, const uint8_t *bytes, size_t size)
{
    probe *p = context;
    size = size < 700 ? size : 700; /* the chip's buffer takes not all at once */
    for (size_t i = 0; i < size; i++)
        p->wrong += bytes[i] != byte_at(p->taken++);
    return size;
}

static bool probe_step(void *context, bool flows)
{
    const probe *p = context;
    return flows && p->given < p->limit;
}

static void probe_plugged(void *context, bool plugged)
{
    ((probe *)context)->unplugs += !plugged;
}

const es_vusb_port probe_port = {
    .read = probe_read, .write = probe_write, .step = probe_step, .plugged = probe_plugged};

es_vusb *plug_kind(probe *p, const char *serial, const es_usb_kind *kind)
{
    es_error err = {0};
    const es_vusb_config config = {.kind = kind, .serial = serial, .port = &probe_port, .context = p, .seed = 1};
    es_vusb *vusb = es_vusb_open(&config, &err);
    ck_assert_msg(vusb != NULL, "%s", err.text);
    return vusb;
}

es_vusb *plug(probe *p, const char *serial)
{
    return plug_kind(p, serial, &es_usb_ft2232h);
}

es_transport *connect_kind(const char *serial, const es_usb_kind *kind)
{
    es_error err = {0};
    es_transport *transport = kind == &es_usb_bulk ? es_transport_usb(serial, &err) : es_transport_ftdi(serial, &err);
    ck_assert_msg(transport != NULL, "%s", err.text);
    return transport;
}

es_transport *connect_to(const char *serial)
{
    return connect_kind(serial, &es_usb_ft2232h);
}

uint64_t read_checked(es_transport *transport, uint64_t from, uint64_t count, ssize_t *last, es_error *err)
{
    static uint8_t buffer[100000];
    uint64_t done = 0;
    *last = 1;
    while (done < count) {
        size_t want = count - done < sizeof buffer ? (size_t)(count - done) : sizeof buffer;
        *last = es_transport_read(transport, buffer, want, PATIENCE_MS, err);
        if (*last <= 0)
            break;
        size_t right = 0; /* one assertion per buffer: they are slow */
        while (right < (size_t)*last && buffer[right] == byte_at(from + done + right))
            right++;
        ck_assert_msg(right == (size_t)*last, "byte %llu is wrong", (unsigned long long)(from + done + right));
        done += (uint64_t)*last;
    }
    return done;
}
