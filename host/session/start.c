/* The firmware's first frame, and what to do where it is lost. */
#include "session/private.h"

#define POLLS 100 /* of the mailbox, which running firmware empties within microseconds */

bool es_session_check_hello(const session *s, es_error *err)
{
    uint32_t checksum = s->groups.groups[0].image.checksum;
    if (s->hello_checksum == checksum)
        return true;
    return es_fail(err, ES_PROBE,
                   "the firmware reports another monitor image (0x%08x) than the one for this program and these "
                   "statements (0x%08x)%s",
                   (unsigned)s->hello_checksum, (unsigned)checksum,
                   s->probe.recorded ? ": a recording is replayed with the same ELF file and statements" : "");
}

/* Only running firmware takes a word out of the mailbox. */
static bool takes_mail(session *s, bool *taken, es_error *err)
{
    uint32_t mail = ES_MAIL_RESYNC, status = ES_STATUS_MAIL;
    if (!es_link_write(s->link, ES_REG_BASE + ES_REG_MAILBOX, &mail, 1, err))
        return false;
    for (unsigned polls = 0; polls < POLLS && status & ES_STATUS_MAIL; polls++)
        if (!es_link_read(s->link, ES_REG_BASE + ES_REG_STATUS, &status, 1, err))
            return false;
    *taken = !(status & ES_STATUS_MAIL);
    return es_session_check_fault(s, err);
}

bool es_session_start(session *s, es_error *err)
{
    bool taken = false;
    es_link_restart(s->link);
    s->loaded = s->started = true; /* from here on: the firmware's first frame and the first hits may come together */
    if (!es_probe_start(s->link, err) || !es_session_groups_start(s, err) ||
        !es_session_wait_for(s, &s->hello, ES_SESSION_HELLO_MS, err) || (!s->hello && !takes_mail(s, &taken, err))) {
        /* Its hits may have been shown: a probe that is unplugged then is waited for, as in the run that begins. */
        return s->hello && es_transport_gone(s->probe.transport) && es_session_check_hello(s, err);
    }
    if (!s->hello && !taken)
        return es_fail(
            err, ES_PROBE,
            "the probe's firmware does not answer: its soft core was loaded and started, and no frame came. Check "
            "that the bitstream belongs to this earshot and that the probe's clock runs");
    if (!s->hello) /* all that was loaded was acknowledged: nothing but the frame itself is missing */
        es_session_hello_lost(s);
    return es_session_check_hello(s, err);
}
