/* What the link says: frames, tags, and the window of events (sections 2 to 6 and 18 of the text). */
#include "tdp_inner.h"

const struct tdp_key *tdp_pair_key(const struct tdp_link *link)
{
    return link->paired ? &link->pair : NULL;
}

const struct tdp_key *tdp_session_key(const struct tdp_link *link)
{
    return link->proven ? &link->session : NULL;
}

void tdp_make_tag(const struct tdp_link *link, const struct tdp_key *key, const uint8_t *body, size_t length,
                  uint8_t *tag)
{
    memset(tag, 0, TDP_TAG);
    if (key != NULL) {
        link->identity->pairing->tag(key, body, length, tag);
    }
}

uint8_t *tdp_header(struct tdp_link *link, enum tdp_frame kind, uint32_t opening, uint32_t number)
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

void tdp_send(struct tdp_link *link, const uint8_t *end, const struct tdp_key *key)
{
    const size_t length = (size_t)(end - link->body);
    const size_t checked = length + TDP_TAG;
    tdp_make_tag(link, key, link->body, length, link->body + length);
    tdp_put32(link->body + checked, tdp_crc(link->body, checked));
    link->out[0] = 0; /* noise before it ruins an empty frame */
    const size_t stuffed = tdp_stuff(link->body, checked + 4, link->out + 1);
    link->out[1 + stuffed] = 0;
    tdp_port_send(link, link->out, stuffed + 2);
}

void tdp_send_identity(struct tdp_link *link, uint32_t opening, bool is_proven)
{
    const struct tdp_identity *who = link->identity;
    uint8_t *at = tdp_header(link, IDENTITY, opening, 0);
    *at++ = TDP_MAJOR;
    *at++ = who->pairing != NULL ? TDP_MINOR : 0;
    *at++ = who->kind;
    *at++ = who->simulated ? 1 : 0;
    memcpy(at, who->model, TDP_TEXT);
    memcpy(at + TDP_TEXT, who->serial, TDP_TEXT);
    memcpy(at + 2 * TDP_TEXT, who->firmware, TDP_TEXT);
    at = tdp_put32(at + 3 * TDP_TEXT, link->oldest);
    at = tdp_put32(at, link->next_event);
    if (is_proven) {
        memcpy(at, link->nonces + TDP_NONCE, TDP_NONCE);
        at += TDP_NONCE;
    }
    tdp_send(link, put_status(link, at), is_proven ? &link->session : NULL);
}

/* What answers another session, or a HELLO without proof: a header alone. */
void tdp_send_rarely(struct tdp_link *link, enum tdp_frame kind, uint32_t opening, const struct tdp_key *key)
{
    const uint32_t now = tdp_port_now(link);
    if (link->said_no_session && now - link->no_session_ms < TDP_NO_SESSION_EVERY_MS) {
        return; /* [4.14] [18.2] */
    }
    link->said_no_session = true;
    link->no_session_ms = now;
    tdp_send(link, tdp_header(link, kind, opening, 0), key);
}

void tdp_send_answer(struct tdp_link *link)
{
    uint8_t *at = tdp_header(link, ANSWER, link->opening, link->last_command);
    at = tdp_put32(at, link->next_event - 1);
    *at++ = link->last_result;
    tdp_send(link, put_status(link, at), tdp_session_key(link));
}

void tdp_send_heartbeat_reply(struct tdp_link *link, uint32_t number)
{
    uint8_t *at = tdp_header(link, HEARTBEAT_REPLY, link->opening, number);
    at = put_status(link, tdp_put32(at, link->next_event - 1));
    tdp_send(link, at, tdp_session_key(link));
}

static void send_event(struct tdp_link *link, uint32_t number)
{
    const struct tdp_event *event = &link->events[number % TDP_EVENTS_KEPT];
    uint8_t *at = tdp_put32(tdp_header(link, EVENT, link->opening, number), link->oldest);
    memcpy(at, event->bytes, event->length);
    at += event->length;
    if (link->proven && event->bytes[0] == link->kind->covered) {
        at[-1] ^= link->identity->pairing->pad(link, number); /* [18.11] */
    }
    tdp_send(link, at, tdp_session_key(link));
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
