/* Session, commands, events and dead man (sections 2 to 7 and 9 of the text). */
#include "tdp.h"

enum kind {
    HELLO = 0x01,
    COMMAND = 0x02,
    ACK = 0x03,
    HEARTBEAT = 0x04,
    IDENTITY = 0x81,
    ANSWER = 0x82,
    EVENT = 0x83,
    HEARTBEAT_REPLY = 0x84,
    NO_SESSION = 0x85
};

enum { HELLO_PAYLOAD = 10, HEARTBEAT_PAYLOAD = 1, STARTED = 1 };

static void drop(struct tdp_link *link, enum tdp_drop reason)
{
    link->drops[reason]++;
}

uint32_t tdp_waiting(const struct tdp_link *link)
{
    return link->next_event - link->oldest;
}

bool tdp_must_lock(const struct tdp_link *link)
{
    return link->silent || tdp_waiting(link) >= TDP_EVENTS_LOCK;
}

/* ---- what goes out */

static uint8_t *header(struct tdp_link *link, enum kind kind, uint32_t opening, uint32_t number)
{
    link->body[0] = (uint8_t)kind;
    uint8_t *at = tdp_put32(link->body + 1, opening);
    return tdp_put32(tdp_put32(at, link->kept.boot), number);
}

static uint8_t *put_status(const struct tdp_link *link, uint8_t *at)
{
    link->kind->status(link, at);
    return at + link->kind->status_length;
}

static void send(struct tdp_link *link, uint8_t *end)
{
    memset(end, 0, 8);
    const size_t checked = (size_t)(end - link->body) + 8;
    tdp_put32(link->body + checked, tdp_crc(link->body, checked));
    link->out[0] = 0; /* noise before it ruins an empty frame */
    const size_t stuffed = tdp_stuff(link->body, checked + 4, link->out + 1);
    link->out[1 + stuffed] = 0;
    tdp_port_send(link, link->out, stuffed + 2);
}

static void send_identity(struct tdp_link *link, uint32_t opening)
{
    const struct tdp_identity *who = link->identity;
    uint8_t *at = header(link, IDENTITY, opening, 0);
    *at++ = TDP_MAJOR;
    *at++ = TDP_MINOR;
    *at++ = who->kind;
    *at++ = who->simulated ? 1 : 0;
    memcpy(at, who->model, TDP_TEXT);
    memcpy(at + TDP_TEXT, who->serial, TDP_TEXT);
    memcpy(at + 2 * TDP_TEXT, who->firmware, TDP_TEXT);
    at = tdp_put32(at + 3 * TDP_TEXT, link->oldest);
    send(link, put_status(link, tdp_put32(at, link->next_event)));
}

static void send_no_session(struct tdp_link *link, uint32_t opening)
{
    const uint32_t now = tdp_port_now(link);
    if (link->said_no_session && now - link->no_session_ms < TDP_NO_SESSION_EVERY_MS) {
        return; /* [4.14] */
    }
    link->said_no_session = true;
    link->no_session_ms = now;
    send(link, header(link, NO_SESSION, opening, 0));
}

static void send_answer(struct tdp_link *link)
{
    uint8_t *at = header(link, ANSWER, link->opening, link->last_command);
    at = tdp_put32(at, link->next_event - 1);
    *at++ = link->last_result;
    send(link, put_status(link, at));
}

static void send_event(struct tdp_link *link, uint32_t number)
{
    const struct tdp_event *event = &link->events[number % TDP_EVENTS_KEPT];
    uint8_t *at = tdp_put32(header(link, EVENT, link->opening, number), link->oldest);
    memcpy(at, event->bytes, event->length);
    send(link, at + event->length);
}

/* The window's events that have not gone out yet; the wait for an acknowledgement begins with the oldest. */
static void send_window(struct tdp_link *link)
{
    if (!link->has_session || link->silent) {
        return;
    }
    if (link->unsent == link->oldest) {
        link->sent_ms = tdp_port_now(link);
    }
    while (link->unsent != link->next_event && link->unsent - link->oldest < TDP_EVENT_WINDOW) {
        send_event(link, link->unsent++);
    }
}

void tdp_settle(struct tdp_link *link)
{
    send_window(link);
    tdp_port_set(link);
}

/* ---- events */

static void acknowledge(struct tdp_link *link, uint32_t number)
{
    if (number < link->oldest) {
        return;
    }
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
    uint8_t *at = put_status(link, event->bytes + 1);
    if (length > 0) {
        memcpy(at, fields, length);
    }
    event->length = (uint8_t)(1u + link->kind->status_length + length);
}

/* ---- what comes in */

static void hear(struct tdp_link *link)
{
    link->heard_ms = tdp_port_now(link);
    if (link->silent) {
        link->silent = false;
        link->unsent = link->oldest; /* [6.17] */
    }
}

static void take_committed(struct tdp_link *link, const uint8_t *payload)
{
    const uint32_t number = tdp_get32(payload + 6);
    if (tdp_get32(payload + 2) == link->kept.boot && number < link->next_event) {
        acknowledge(link, number); /* [4.8] [4.9] */
    }
}

static void open_session(struct tdp_link *link, uint32_t opening)
{
    link->opening = opening;
    link->has_session = true;
    link->last_command = 0;
    link->has_result = false;
    link->retry_ms = TDP_EVENT_RETRY_MS;
    link->unsent = link->oldest;
    link->kind->withdraw(link); /* [9.11] */
}

static void take_hello(struct tdp_link *link, uint32_t opening, const uint8_t *payload, size_t length)
{
    if (length >= 2 && payload[0] != TDP_MAJOR) {
        send_identity(link, opening); /* [4.2] */
        return;
    }
    if (tdp_get32(link->in + 5) != 0 || tdp_get32(link->in + 9) != 0) {
        drop(link, TDP_DROP_HELLO); /* [3.8] */
        return;
    }
    const bool is_ours = link->has_session && opening == link->opening;
    if (is_ours) {
        hear(link); /* [7.4] */
    }
    if (length != HELLO_PAYLOAD) {
        drop(link, TDP_DROP_PAYLOAD);
    } else if (is_ours) {
        take_committed(link, payload);
        send_identity(link, opening); /* [4.3] */
    } else if (!link->has_session || tdp_newer32(opening, link->opening) || link->silent) {
        hear(link);
        open_session(link, opening); /* [4.4] */
        take_committed(link, payload);
        send_identity(link, opening);
    } else {
        drop(link, TDP_DROP_HELLO); /* [4.7] */
    }
}

static void take_command(struct tdp_link *link, uint32_t number, const uint8_t *payload, size_t length)
{
    if (number == link->last_command + 1) {
        link->last_command = number;
        link->has_result = true;
        link->last_result = link->kind->command(link, payload, length);
    } else if (number != link->last_command || !link->has_result) {
        drop(link, TDP_DROP_COMMAND); /* [5.3] [5.4] */
        return;
    }
    send_answer(link);
}

static void take_ack(struct tdp_link *link, uint32_t number, size_t length)
{
    if (length != 0) {
        drop(link, TDP_DROP_PAYLOAD);
    } else if (number >= link->next_event) {
        drop(link, TDP_DROP_ACK); /* [6.13] */
    } else {
        acknowledge(link, number);
    }
}

static void take_heartbeat(struct tdp_link *link, uint32_t number, const uint8_t *payload, size_t length)
{
    if (length != HEARTBEAT_PAYLOAD || payload[0] > 1) {
        drop(link, TDP_DROP_PAYLOAD);
        return;
    }
    if (payload[0] == 1) {
        link->retry_ms = TDP_EVENT_RETRY_MAX_MS; /* [6.11] */
    }
    uint8_t *at = header(link, HEARTBEAT_REPLY, link->opening, number);
    send(link, put_status(link, tdp_put32(at, link->next_event - 1)));
}

/* Kind first, then session, then payload [3.5]. */
static void take_body(struct tdp_link *link, size_t length)
{
    const uint8_t kind = link->in[0];
    if (kind < HELLO || kind > HEARTBEAT) {
        drop(link, TDP_DROP_KIND);
        return;
    }
    if (length < TDP_HEADER) {
        drop(link, TDP_DROP_PAYLOAD);
        return;
    }
    const uint32_t opening = tdp_get32(link->in + 1);
    const uint32_t number = tdp_get32(link->in + 9);
    const uint8_t *payload = link->in + TDP_HEADER;
    const size_t rest = length - TDP_HEADER;
    if (kind == HELLO) {
        take_hello(link, opening, payload, rest);
        return;
    }
    if (!link->has_session || opening != link->opening || tdp_get32(link->in + 5) != link->kept.boot) {
        drop(link, TDP_DROP_SESSION);
        send_no_session(link, opening); /* [4.13] */
        return;
    }
    hear(link);
    if (kind == COMMAND) {
        take_command(link, number, payload, rest);
    } else if (kind == ACK) {
        take_ack(link, number, rest);
    } else {
        take_heartbeat(link, number, payload, rest);
    }
}

static void take_frame(struct tdp_link *link)
{
    size_t length = link->heard;
    if (!tdp_unstuff(link->in, &length)) {
        drop(link, TDP_DROP_STUFFING);
        return;
    }
    if (length <= TDP_TAIL) {
        drop(link, TDP_DROP_LENGTH);
        return;
    }
    if (tdp_crc(link->in, length - 4) != tdp_get32(link->in + length - 4)) {
        drop(link, TDP_DROP_CRC);
        return;
    }
    for (size_t index = length - TDP_TAIL; index < length - 4; index++) {
        if (link->in[index] != 0) {
            drop(link, TDP_DROP_TAG); /* [2.2] */
            return;
        }
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
        drop(link, TDP_DROP_LONG);
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

static uint32_t left(uint32_t since_ms, uint32_t for_ms, uint32_t now)
{
    const uint32_t gone = now - since_ms;
    return gone < for_ms ? for_ms - gone : 0;
}

uint32_t tdp_due(const struct tdp_link *link)
{
    if (!link->has_session || link->silent) {
        return TDP_NEVER;
    }
    const uint32_t now = tdp_port_now(link);
    const uint32_t until_silent = left(link->heard_ms, TDP_SILENT_AFTER_MS, now);
    if (!retries(link)) {
        return until_silent;
    }
    const uint32_t until_retry = left(link->sent_ms, link->retry_ms, now);
    return until_retry < until_silent ? until_retry : until_silent;
}
