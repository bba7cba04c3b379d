/* Session, commands, events and dead man: what comes in (sections 2 to 7, 9 and 18 of the text). */
#include "tdp_inner.h"

enum { HEARTBEAT_PAYLOAD = 1 };

void tdp_drop(struct tdp_link *link, enum tdp_drop reason)
{
    link->drops[reason]++;
}

uint32_t tdp_waiting(const struct tdp_link *link)
{
    return link->next_event - link->oldest;
}

bool tdp_must_lock(const struct tdp_link *link)
{
    return link->silent || link->pairing || tdp_waiting(link) >= TDP_EVENTS_LOCK;
}

/* ---- events */

static void acknowledge(struct tdp_link *link, uint32_t number)
{
    link->oldest = number + 1;
    if (link->unsent < link->oldest) {
        link->unsent = link->oldest;
    }
    link->retry_ms = TDP_EVENT_RETRY_MS; /* [6.10] */
    link->sent_ms = tdp_port_now(link);
}

void tdp_post(struct tdp_link *link, uint8_t id, const uint8_t *fields, size_t length)
{
    if (tdp_waiting(link) == TDP_EVENTS_KEPT) { /* the oldest goes [6.16] */
        link->oldest++;
        if (link->unsent < link->oldest) {
            link->unsent = link->oldest;
        }
    }
    const uint32_t number = link->next_event++;
    if (tdp_must_lock(link)) {
        link->kind->withdraw(link); /* [6.15] */
    }
    struct tdp_event *event = &link->events[number % TDP_EVENTS_KEPT];
    event->bytes[0] = id;
    uint8_t *at = event->bytes + 1;
    link->kind->status(link, at);
    at += link->kind->status_length;
    if (length > 0) {
        memcpy(at, fields, length);
    }
    event->length = (uint8_t)(1u + link->kind->status_length + length);
}

/* ---- what comes in */

void tdp_hear(struct tdp_link *link)
{
    link->heard_ms = tdp_port_now(link);
    if (link->silent) {
        link->silent = false;
        link->unsent = link->oldest; /* [6.17] */
    }
}

/* The same time whichever byte differs [18.18]. */
bool tdp_same(const uint8_t *one, const uint8_t *other, size_t length)
{
    unsigned differs = 0;
    for (size_t index = 0; index < length; index++) {
        differs |= (unsigned)(one[index] ^ other[index]);
    }
    return differs == 0;
}

/* The body that came, so long; a key that is NULL: eight zeros. */
bool tdp_is_tagged(const struct tdp_link *link, const struct tdp_key *key, size_t length)
{
    uint8_t tag[TDP_TAG];
    tdp_make_tag(link, key, link->in, length, tag);
    return tdp_same(tag, link->in + length, sizeof tag);
}

static void take_committed(struct tdp_link *link, const uint8_t *payload)
{
    const uint32_t number = tdp_get32(payload + 6);
    if (tdp_get32(payload + 2) == link->kept.boot && number >= link->oldest && number < link->next_event) {
        acknowledge(link, number); /* [4.8] [4.9] */
    }
}

void tdp_open_session(struct tdp_link *link, uint32_t opening, bool is_proven)
{
    link->opening = opening;
    link->has_session = true;
    link->proven = is_proven;
    link->last_command = 0;
    link->has_result = false;
    link->retry_ms = TDP_EVENT_RETRY_MS;
    link->unsent = link->oldest;
    link->kind->withdraw(link); /* [9.11] */
}

/* A HELLO is taken: of the session there is, or of the one that it has opened. */
void tdp_welcome(struct tdp_link *link)
{
    take_committed(link, link->in + TDP_HEADER);
    tdp_send_identity(link, link->opening, link->proven);
}

bool tdp_may_open(const struct tdp_link *link, uint32_t opening)
{
    return !link->has_session || tdp_newer32(opening, link->opening) || link->silent; /* [4.4] */
}

static void take_unproven_hello(struct tdp_link *link, uint32_t opening, size_t length)
{
    const bool is_ours = link->has_session && !link->proven && opening == link->opening;
    if (is_ours && length >= 2) {
        tdp_hear(link); /* [7.4] it names the major, 1 */
    }
    if (length != TDP_HELLO_PAYLOAD) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
    } else if (is_ours) {
        tdp_welcome(link); /* [4.3] */
    } else if (tdp_may_open(link, opening)) {
        tdp_hear(link);
        tdp_open_session(link, opening, false);
        tdp_welcome(link);
    } else {
        tdp_drop(link, TDP_DROP_HELLO); /* [4.7] */
    }
}

static void take_hello(struct tdp_link *link, uint32_t opening, size_t length)
{
    if (length >= 2 && link->in[TDP_HEADER] != TDP_MAJOR) {
        tdp_send_identity(link, opening, false); /* [4.2] */
    } else if (tdp_get32(link->in + 5) != 0 || tdp_get32(link->in + 9) != 0) {
        tdp_drop(link, TDP_DROP_HELLO); /* [3.8] */
    } else if (!link->paired || !link->identity->pairing->takes_hello(link, opening, length)) {
        take_unproven_hello(link, opening, length);
    }
}

static void take_command(struct tdp_link *link, uint32_t number, size_t length)
{
    if (number == link->last_command + 1) {
        tdp_hear(link);
        link->last_command = number;
        link->has_result = true;
        link->last_result = link->kind->command(link, link->in + TDP_HEADER, length);
    } else if (number != link->last_command || !link->has_result) {
        tdp_drop(link, TDP_DROP_COMMAND); /* [5.3] [5.4] */
        return;
    }
    tdp_send_answer(link);
}

static void take_ack(struct tdp_link *link, uint32_t number, size_t length)
{
    if (length != 0) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
    } else if (number >= link->next_event) {
        tdp_drop(link, TDP_DROP_ACK); /* [6.13] */
    } else if (number >= link->oldest) {
        tdp_hear(link);
        acknowledge(link, number);
    }
}

static void take_heartbeat(struct tdp_link *link, uint32_t number, size_t length)
{
    const uint8_t not_yet_durable = link->in[TDP_HEADER];
    if (length != HEARTBEAT_PAYLOAD || not_yet_durable > 1) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
        return;
    }
    if (link->proven && number <= link->last_heartbeat) {
        tdp_drop(link, TDP_DROP_COPY); /* [18.8] */
        return;
    }
    tdp_hear(link);
    link->last_heartbeat = number;
    if (not_yet_durable == 1) {
        link->retry_ms = TDP_EVENT_RETRY_MAX_MS; /* [6.11] */
    }
    tdp_send_heartbeat_reply(link, number);
}

/* Of the session by its header. In a proven one a sign of life is what says something new [18.7], else all is. */
static void take_of_session(struct tdp_link *link, uint32_t number, size_t length)
{
    if (!tdp_is_tagged(link, tdp_session_key(link), TDP_HEADER + length)) {
        tdp_drop(link, TDP_DROP_TAG); /* [18.6] */
        return;
    }
    if (!link->proven) {
        tdp_hear(link); /* [7.4] */
    }
    if (link->in[0] == COMMAND) {
        take_command(link, number, length);
    } else if (link->in[0] == ACK) {
        take_ack(link, number, length);
    } else {
        take_heartbeat(link, number, length);
    }
}

/* Kind first, then session, then tag, then payload [3.5]. */
static void take_body(struct tdp_link *link, size_t length)
{
    const uint8_t kind = link->in[0];
    if (kind < HELLO || kind > (link->identity->pairing != NULL ? PAIR : HEARTBEAT)) {
        tdp_drop(link, TDP_DROP_KIND);
        return;
    }
    if (length < TDP_HEADER) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
        return;
    }
    const uint32_t opening = tdp_get32(link->in + 1);
    const bool is_ours = opening == link->opening && tdp_get32(link->in + 5) == link->kept.boot;
    if (kind == HELLO) {
        take_hello(link, opening, length - TDP_HEADER);
    } else if (kind == PAIR) {
        link->identity->pairing->take_pair(link, is_ours, length);
    } else if (link->has_session && is_ours) {
        take_of_session(link, tdp_get32(link->in + 9), length - TDP_HEADER);
    } else {
        tdp_drop(link, TDP_DROP_SESSION);
        tdp_send_rarely(link, NO_SESSION, opening, tdp_pair_key(link)); /* [4.13] [18.10] */
    }
}

static void take_frame(struct tdp_link *link)
{
    size_t length = link->heard;
    if (!tdp_unstuff(link->in, &length)) {
        tdp_drop(link, TDP_DROP_STUFFING);
        return;
    }
    if (length <= TDP_TAIL) {
        tdp_drop(link, TDP_DROP_LENGTH);
        return;
    }
    if (tdp_crc(link->in, length - 4) != tdp_get32(link->in + length - 4)) {
        tdp_drop(link, TDP_DROP_CRC);
        return;
    }
    if (!link->paired && !tdp_is_tagged(link, NULL, length - TDP_TAIL)) {
        tdp_drop(link, TDP_DROP_TAG); /* [2.2] */
        return;
    }
    take_body(link, length - TDP_TAIL);
}

static void take_byte(struct tdp_link *link, uint8_t byte)
{
    if (byte == 0) {
        if (!link->skips && link->heard > 0) {
            take_frame(link);
            tdp_settle(link);
        }
        link->skips = false;
        link->heard = 0;
    } else if (link->heard < TDP_STUFFED_MAX) {
        link->in[link->heard++] = byte;
    } else if (!link->skips) {
        link->skips = true; /* [2.4] */
        tdp_drop(link, TDP_DROP_LONG);
    }
}

void tdp_receive(struct tdp_link *link, const uint8_t *data, size_t length)
{
    tdp_poll(link); /* a silence that has ended a moment ago was one */
    for (size_t index = 0; index < length; index++) {
        take_byte(link, data[index]);
    }
}

/* ---- time */

static bool retries(const struct tdp_link *link)
{
    return link->has_session && !link->silent && tdp_waiting(link) > 0;
}

void tdp_poll(struct tdp_link *link)
{
    const uint32_t now = tdp_port_now(link);
    if (link->pairing) {
        link->identity->pairing->watch(link, now);
    }
    if (link->has_session && !link->silent && now - link->heard_ms >= TDP_SILENT_AFTER_MS) {
        link->silent = true; /* [7.6] */
        link->kind->withdraw(link);
    }
    if (retries(link) && now - link->sent_ms >= link->retry_ms) {
        link->unsent = link->oldest; /* [6.9] */
        const uint32_t doubled = 2 * link->retry_ms;
        link->retry_ms = doubled < TDP_EVENT_RETRY_MAX_MS ? doubled : TDP_EVENT_RETRY_MAX_MS;
    }
    tdp_settle(link);
}

/* The sooner of the two, the second one in so many milliseconds after `since`. */
static uint32_t sooner(uint32_t due, uint32_t since_ms, uint32_t for_ms, uint32_t now)
{
    const uint32_t gone = now - since_ms;
    const uint32_t left = gone < for_ms ? for_ms - gone : 0;
    return left < due ? left : due;
}

uint32_t tdp_due(const struct tdp_link *link)
{
    const uint32_t now = tdp_port_now(link);
    uint32_t due = TDP_NEVER;
    if (link->pairing) {
        due = sooner(due, link->pairing_ms, TDP_PAIRING_MS, now);
    }
    if (link->has_session && !link->silent) {
        due = sooner(due, link->heard_ms, TDP_SILENT_AFTER_MS, now);
    }
    if (retries(link)) {
        due = sooner(due, link->sent_ms, link->retry_ms, now);
    }
    return due;
}
