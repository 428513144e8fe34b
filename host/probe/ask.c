#include "probe/ask.h"

#include "probe_defs.h"

static void ignore(void *context, const es_event *event)
{
    (void)context;
    (void)event;
}

bool es_probe_ask(es_transport *transport, es_probe_info *info, es_error *err)
{
    *info = (es_probe_info){0};
    es_link *link = es_link_new(transport, ignore, NULL);
    bool good = link ? es_probe_info_read(link, info, err) : es_fail(err, ES_PROBE, "out of memory");
    es_link_free(link);
    es_transport_close(transport);
    return good;
}

void es_probe_info_text(es_text_buffer *out, const es_probe_info *info)
{
    es_text_format(out, "version %u: %u-bit bus, window 0x%08x to 0x%08x, FIFO of %u, ", (unsigned)(info->id & 0xFFFF),
                   (unsigned)(info->config >> ES_CONFIG_DATA_SHIFT & ES_CONFIG_DATA_MASK), (unsigned)info->window_base,
                   (unsigned)(info->window_base + info->window_size - 1), (unsigned)info->fifo_depth);
    if (es_probe_has_monitor(info))
        es_text_format(out, "%u KiB of memory%s", (unsigned)(info->memory_size >> 10),
                       info->config & ES_CONFIG_RECORDER ? ", recorder of inputs" : "");
    else
        es_text_format(out, "no monitor, but a recorder of inputs: statements are evaluated on the replay");
    if (es_probe_fetches(info) != ES_FETCHES_EXECUTED)
        es_text_format(out, ", %s", es_probe_fetches(info) == ES_FETCHES_RETIRED ? "retire port" : "fetches ahead");
    if (info->config & ES_CONFIG_MARKS)
        es_text_format(out, ", marks only (%u %s)", (unsigned)(info->config >> 20 & 15),
                       es_plural(info->config >> 20 & 15, "tap", "taps"));
    es_text_format(out, "%s%s%s%s", info->config & ES_CONFIG_COMPRESSED ? ", compressed instructions" : "",
                   info->config & ES_CONFIG_READS ? ", reads" : "", info->config & ES_CONFIG_OUTPUTS ? ", outputs" : "",
                   info->config & ES_CONFIG_TIME_NOW ? ", time" : ", no clock that can be compared with other probes'");
}
