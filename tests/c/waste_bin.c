/* A card waste bin, written from PROTOCOL.md alone by hands that had seen neither the core nor the Python: kind shoe, its
 * shutter is the lock. It shares nothing with the core beside it, and is there to calibrate the conformance suite.
 *
 * Driven by lines: `t MS` time passes, `r HEX` bytes came, `h DEED TIMES` hands do it. Each is answered by when something
 * is due (ms, -1 never), by 0 where hands could do it, and by what it sends in hexadecimal.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELLO = 1, COMMAND, ACK, HEARTBEAT, IDENTITY = 0x81, ANSWER, EVENT, REPLY, NO_SESSION };
enum { BODY = 192, KEPT = 64, LOCK_AT = 48, WINDOW = 8, SILENT = 2000, EV_STARTED = 1, EV_CARD, EV_RAISED, EV_CLEARED };

struct event { uint8_t id, status[5], fields[5], length; };

static struct { /* what a loss of power forgets */
    bool session, dead, locked, overlong;
    uint32_t opening, last, next, oldest, sent;
    int64_t life, sent_at, retry, denied;
    struct event ring[KEPT];
    uint8_t result, error, in[205];
    unsigned length, dropped[8];
} v;

static struct kept {
    uint32_t sequence, boot, passages;
    uint8_t begun, unknown, unused[2];
    uint32_t crc;
} kept, memory[2]; /* two places, written in turn */
static const uint8_t NO_TAG[8];
static const char WHO[52] = "\1\0\2\1" "Waste bin W1\0\0\0\0" "W1-000007\0\0\0\0\0\0\0" "1.0"; /* 1.0, shoe, simulated */
static int64_t clock_ms;
static bool is_new = true; /* from the factory */
static int next_card, fault; /* of the hardware: both stay over a loss of power */

static void draw_random(void *to, size_t n)
{
    static uint32_t state = 2463534242u; /* a calibration repeats itself; a device takes a real source */
    for (uint8_t *p = to; n--; p++) {
        state = state * 1664525u + 1013904223u;
        *p = (uint8_t)(state >> 24);
    }
}

static void put32(uint8_t *p, uint32_t x) { for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> 8 * i); }

static uint32_t get32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t crc32(const void *data, size_t n)
{
    const uint8_t *p = data;
    uint32_t c = 0xFFFFFFFF;
    while (n--) {
        c ^= *p++;
        for (int i = 0; i < 8; i++) c = c >> 1 ^ (c & 1 ? 0xEDB88320 : 0);
    }
    return ~c;
}

static void store(void)
{
    kept.sequence++;
    kept.crc = crc32(&kept, sizeof kept - 4);
    memory[kept.sequence & 1] = kept;
}

static bool recall(void)
{
    bool found = false;
    for (const struct kept *one = memory; one < memory + 2; one++) {
        if (crc32(one, sizeof *one - 4) != one->crc) continue;
        if (!found || one->sequence - kept.sequence < 0x80000000) kept = *one;
        found = true;
    }
    if (!found) memset(&kept, 0, sizeof kept);
    found = found || is_new;
    is_new = false;
    return found;
}

/* ---- frames out */

static void send_frame(const uint8_t *body, size_t n)
{
    uint8_t block[BODY + 13], line[BODY + 16] = {0};
    if (n > BODY) abort();
    memcpy(block, body, n);
    memset(block + n, 0, 8);
    put32(block + n + 8, crc32(block, n + 8));
    n += 12;
    block[n++] = 0;
    size_t at = 1;
    for (size_t i = 0; i < n;) {
        size_t j = i;
        while (block[j]) j++;
        line[at++] = (uint8_t)(j - i + 1);
        memcpy(line + at, block + i, j - i);
        at += j - i;
        i = j + 1;
    }
    line[at++] = 0;
    for (size_t i = 0; i < at; i++) printf("%02x", line[i]);
}

static size_t header(uint8_t *b, int kind, uint32_t opening, uint32_t number)
{
    b[0] = (uint8_t)kind;
    put32(b + 1, opening);
    put32(b + 5, kept.boot);
    put32(b + 9, number);
    return 13;
}

static uint32_t waiting(void) { return v.next - v.oldest; }
static bool held(void) { return waiting() >= LOCK_AT; }

static size_t status(uint8_t *b)
{
    put32(b, kept.passages);
    b[4] = (uint8_t)(v.locked | (v.error ? 2 : 0) | (v.dead || held() ? 4 : 0) | (kept.unknown ? 8 : 0));
    return 5;
}

static void send_event(uint32_t number)
{
    const struct event *e = &v.ring[number % KEPT];
    uint8_t b[BODY];
    size_t n = header(b, EVENT, v.opening, number);
    put32(b + n, v.oldest);
    b[n + 4] = e->id;
    memcpy(b + n + 5, e->status, 5);
    memcpy(b + n + 10, e->fields, e->length);
    send_frame(b, n + 10u + e->length);
}

static void pump(void) /* what may go and has not gone */
{
    if (!v.session || v.dead) return;
    if (v.sent < v.oldest) v.sent_at = clock_ms;
    if (v.sent < v.oldest - 1) v.sent = v.oldest - 1;
    while (v.sent + 1 < v.next && v.sent + 1 < v.oldest + WINDOW) send_event(++v.sent);
}

static void again(void)
{
    v.sent = v.oldest - 1;
    pump();
}

static void post(uint8_t id, const uint8_t *fields, uint8_t length)
{
    struct event *e = &v.ring[v.next % KEPT];
    v.next++;
    if (waiting() > KEPT) v.oldest++;
    if (held()) v.locked = true;
    e->id = id;
    e->length = length;
    status(e->status);
    memcpy(e->fields, fields, length);
    pump();
}

static void forget(uint32_t n)
{
    if (n < v.oldest || n >= v.next) return;
    v.oldest = n + 1, v.retry = 200, v.sent_at = clock_ms;
}

static void alive(void)
{
    v.life = clock_ms;
    if (!v.dead) return;
    v.dead = false;
    v.retry = 200;
    again();
}

static void deny(uint32_t opening)
{
    uint8_t b[BODY];
    if (clock_ms < v.denied) return;
    v.denied = clock_ms + 100;
    send_frame(b, header(b, NO_SESSION, opening, 0));
}

static void identity(uint32_t opening)
{
    uint8_t b[BODY] = {0};
    size_t n = header(b, IDENTITY, opening, 0);
    memcpy(b + n, WHO, sizeof WHO);
    put32(b + n + 52, v.oldest);
    put32(b + n + 56, v.next);
    send_frame(b, n + 60 + status(b + n + 60));
}

/* ---- frames in */

static void drop(int why) { v.dropped[why]++; }

static void hello(const uint8_t *b, size_t n)
{
    const uint32_t opening = get32(b + 1);
    const uint8_t *p = b + 13;
    size_t length = n - 13;
    if (length >= 2 && p[0] != 1) { identity(opening); return; }
    if (get32(b + 5) || get32(b + 9)) { drop(5); return; }
    if (length != 10) {
        drop(6);
        if (v.session && opening == v.opening) alive();
        return;
    }
    const uint32_t ahead = opening - v.opening;
    if (v.session && opening == v.opening) {
        alive();
    } else if (!v.session || (ahead && ahead < 0x80000000) || v.dead) {
        v.session = true;
        v.opening = opening;
        v.last = 0;
        v.locked = true;
        v.retry = 200;
        v.sent = v.oldest - 1;
        v.life = clock_ms;
        v.dead = false;
    } else { drop(5); return; }
    if (get32(p + 2) == kept.boot) forget(get32(p + 6));
    identity(opening);
    pump();
}

static void reply(int kind, uint32_t number)
{
    uint8_t b[BODY];
    size_t n = header(b, kind, v.opening, number);
    put32(b + n, v.next - 1);
    n += 4;
    if (kind == ANSWER) b[n++] = v.result;
    n += status(b + n);
    send_frame(b, n);
}

static void command(uint32_t number, const uint8_t *p, size_t n)
{
    if (number == 0 || (number != v.last && number != v.last + 1)) { drop(7); return; }
    if (number != v.last) {
        v.last = number;
        v.result = 1;
        if (n == 1 && p[0] == 2) v.result = 0;
        if (n == 2 && p[0] == 1 && p[1] <= 1) {
            v.result = !p[1] && held() ? 5 : 0;
            v.locked = p[1] || v.result;
        }
    }
    reply(ANSWER, number);
}

static void frame(const uint8_t *b, size_t n, const uint8_t *tag)
{
    const uint32_t number = get32(b + 9);
    const int kind = b[0];
    if (memcmp(tag, NO_TAG, sizeof NO_TAG)) { drop(4); return; }
    if (kind < HELLO || kind > HEARTBEAT) { drop(3); return; }
    if (kind == HELLO) { hello(b, n); return; }
    const bool ours = v.session && get32(b + 1) == v.opening && get32(b + 5) == kept.boot;
    if (!ours) { deny(get32(b + 1)); return; }
    const uint8_t *p = b + 13;
    n -= 13;
    alive();
    if (kind == ACK) {
        if (n || number >= v.next) { drop(6); return; }
        forget(number);
        pump();
    } else if (kind == HEARTBEAT) {
        if (n != 1 || p[0] > 1) { drop(6); return; }
        reply(REPLY, number);
        if (p[0]) v.retry = 1000;
    } else {
        command(number, p, n);
    }
}

static void cobs(void)
{
    uint8_t out[206];
    size_t n = 0, i = 0;
    while (i < v.length) {
        size_t code = v.in[i];
        if (i + code > v.length) { drop(1); return; }
        if (i) out[n++] = 0;
        memcpy(out + n, v.in + i + 1, code - 1);
        n += code - 1;
        i += code;
    }
    if (n < 13 || n > 204) { drop(1); return; }
    n -= 4;
    if (crc32(out, n) != get32(out + n)) { drop(2); return; }
    n -= 8;
    if (n < 13) { drop(3); return; }
    frame(out, n, out + n);
}

static void receive(uint8_t c)
{
    if (c) {
        if (v.length < sizeof v.in) v.in[v.length++] = c;
        else v.overlong = true;
        return;
    }
    if (v.overlong) drop(0);
    else if (v.length) cobs();
    v.length = v.overlong = 0;
}

/* ---- the bin itself */

static void start(uint8_t cause)
{
    memset(&v, 0, sizeof v);
    v.next = v.oldest = 1;
    v.locked = v.dead = true;
    v.retry = 200;
    if (!recall() || kept.begun) { /* nothing proves whether the card fell */
        if (!kept.begun) draw_random(&kept.boot, 4);
        kept.begun = 0, kept.passages = 0, kept.unknown = 1;
    }
    if (!++kept.boot) kept.boot = 1;
    store();
    post(EV_STARTED, &cause, 1);
    if (fault) v.error = (uint8_t)fault, post(EV_RAISED, &v.error, 1);
}

static void card(void)
{
    uint8_t f[5];
    kept.begun = 1;
    store();
    kept.begun = 0, kept.passages++;
    store();
    put32(f, kept.passages);
    f[4] = (uint8_t)(v.error ? 0 : (next_card % 4 + 1) << 4 | (next_card % 13 + 1));
    next_card++;
    post(EV_CARD, f, 5);
}

static void trouble(uint8_t code) /* 0 none */
{
    uint8_t old = v.error;
    if (code == old) return;
    fault = v.error = code;
    if (old) post(EV_CLEARED, &old, 1);
    if (code) post(EV_RAISED, &code, 1);
}

static int deed(const char *what, int times)
{
    if (!strcmp(what, "power")) start(1);
    else if (!strcmp(what, "load")) return 0; /* whoever draws has cards in his hand */
    else if (!strcmp(what, "forget")) {
        draw_random(memory, sizeof memory);
        start(1);
    } else if (!strcmp(what, "draw")) while (times-- > 0 && !v.locked) card();
    else if (!strcmp(what, "event")) while (times-- > 0) v.locked ? trouble(v.error ? 0 : 4) : card();
    else if (!strcmp(what, "fault")) trouble(4);
    else if (!strcmp(what, "mend")) trouble(0);
    else return 1;
    return 0;
}

static void tick(void)
{
    int64_t t = clock_ms;
    if (v.session && !v.dead && t - v.life >= SILENT) v.dead = v.locked = true;
    if (v.session && !v.dead && waiting() && t - v.sent_at >= v.retry) {
        v.retry = v.retry < 500 ? v.retry * 2 : 1000;
        again();
    }
}

int main(void)
{
    char line[4096], what[16];
    start(1);
    while (printf("\n"), fflush(stdout), fgets(line, sizeof line, stdin)) {
        int failed = 0, times = 1;
        unsigned byte;
        if (*line == 't') clock_ms = strtoll(line + 1, NULL, 10);
        else if (*line == 'h' && sscanf(line + 1, "%15s %d", what, &times) > 0) failed = deed(what, times);
        for (const char *at = line + 2; *line == 'r' && sscanf(at, "%2x", &byte) == 1; at += 2) receive((uint8_t)byte);
        tick();
        int64_t due = v.session && !v.dead ? v.life + SILENT : -1;
        if (due >= 0 && waiting() && v.sent_at + v.retry < due) due = v.sent_at + v.retry;
        printf(" %lld %d", (long long)due, failed);
    }
    return 0;
}
