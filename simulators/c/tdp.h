/* The device's end of the Table Device Protocol 1.1 (firmware_protocols/tdp/PROTOCOL.md).
 *
 * No operating system, no allocation, no recursion; of the C library memcpy and memset alone. A number in brackets
 * is a duty of the text. A device is a struct that the maker declares (struct tdp_shuffler, tdp_shoe ...); each begins
 * with a struct tdp_link. The maker writes the six functions at the end of this file and calls:
 *
 *   tdp_KIND_start    once after each reset, before anything else
 *   tdp_receive       with the bytes that came
 *   tdp_poll          at least each 50 ms, or when tdp_due says so
 *   tdp_KIND_...      when something happened at the mechanism
 *
 * Not from two interrupts at once: one loop calls all of them. Each call ends in bounded time; README.md says which.
 */
#ifndef TDP_H
#define TDP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two functions of the C library, declared here so that a compiler without a library will do. */
void *memcpy(void *to, const void *from, size_t length);
void *memset(void *at, int value, size_t length);

/* Message id, status block and fields of the longest event: of any kind, or of the one kind that is built. */
#ifndef TDP_EVENT_MAX
#define TDP_EVENT_MAX 56
#endif

enum {
    TDP_MAJOR = 1,
    TDP_MINOR = 1, /* of a device that can be paired; of another 0 */
    TDP_HEADER = 13,
    TDP_TAIL = 12, /* tag and CRC */
    TDP_BODY_MAX = 192,
    TDP_STUFFED_MAX = TDP_BODY_MAX + TDP_TAIL + 1,
    TDP_ON_LINE_MAX = TDP_STUFFED_MAX + 2, /* a zero before and behind */
    TDP_EVENTS_KEPT = 64,
    TDP_EVENTS_LOCK = 48,
    TDP_EVENT_WINDOW = 8,
    TDP_TAG = 8,
    TDP_SECRET = 32,
    TDP_NONCE = 16,
    TDP_TEXT = 16,
    TDP_SILENT_AFTER_MS = 2000,
    TDP_EVENT_RETRY_MS = 200,
    TDP_EVENT_RETRY_MAX_MS = 1000,
    TDP_NO_SESSION_EVERY_MS = 100,
    TDP_PAIRING_MS = 60000
};

#define TDP_NEVER UINT32_MAX

/* What a receiver counts of what it drops [2.6]. */
enum tdp_drop {
    TDP_DROP_LONG,
    TDP_DROP_STUFFING,
    TDP_DROP_LENGTH,
    TDP_DROP_CRC,
    TDP_DROP_TAG,
    TDP_DROP_KIND,
    TDP_DROP_PAYLOAD,
    TDP_DROP_HELLO,
    TDP_DROP_SESSION,
    TDP_DROP_COMMAND,
    TDP_DROP_ACK,
    TDP_DROP_COPY,
    TDP_DROP_PAIR,
    TDP_DROPS
};

enum tdp_cause { TDP_POWER_ON = 1, TDP_WATCHDOG = 2, TDP_COMMANDED = 3, TDP_UNKNOWN_CAUSE = 255 };

enum tdp_result {
    TDP_OK = 0,
    TDP_BAD_COMMAND = 1,
    TDP_REFUSED_JAMMED = 2,
    TDP_REFUSED_LID_OPEN = 3,
    TDP_REFUSED_PATH_BLOCKED = 4,
    TDP_REFUSED_HOST_SILENT = 5,
    TDP_REFUSED_COUNTS_UNKNOWN = 6
};

/* What survives a loss of power, for every kind: two places of this size, written in turn, so that a write that the
 * power cut leaves the other whole. `turn` grows with each write; the higher one with a right CRC counts. */
struct tdp_kept {
    uint32_t turn;
    uint32_t boot;
    uint32_t count_in;  /* cards_in, passages */
    uint32_t count_out; /* cards_out */
    int32_t inside;     /* since the last recount; below 0 where more left than were known */
    uint16_t jams;      /* collections of slots */
    uint16_t recounts;
    uint8_t flags;
    uint8_t motion; /* the work that is under way, 0 none */
    uint8_t zero[2];
    uint32_t crc;
};

/* The key of the pair, in two places of its own: written when the device is paired, and never with a card. */
struct tdp_kept_key {
    uint32_t turn;
    uint8_t secret[TDP_SECRET];
    uint32_t crc;
};

enum { TDP_NUMBERS_AT = 0, TDP_KEY_AT = 2, TDP_KEPT_PLACES = 4, TDP_KEPT_MAX = sizeof(struct tdp_kept_key) };

/* Bits of `flags`. */
enum { TDP_KEPT_JAMMED = 1, TDP_KEPT_LAMP = 2, TDP_KEPT_UNKNOWN = 4, TDP_KEPT_INSIDE_UNKNOWN = 8 };

struct tdp_link;
struct tdp_pairing;

/* Proof and pairing (tdp_pair.c, section 18 of the text). */
extern const struct tdp_pairing TDP_PAIRING;

struct tdp_identity {
    uint8_t kind;
    bool simulated;
    char model[TDP_TEXT];
    char serial[TDP_TEXT];
    char firmware[TDP_TEXT];
    const struct tdp_pairing *pairing; /* &TDP_PAIRING; NULL: a device of 1.0, which cannot be paired */
};

/* A key of HMAC-SHA-256, its own two blocks hashed already. */
struct tdp_key {
    uint32_t inner[8];
    uint32_t outer[8];
};

/* What the kinds differ in: one constant table for each. */
struct tdp_kind {
    uint8_t number;
    uint8_t status_length;
    void (*status)(const struct tdp_link *link, uint8_t *block);
    uint8_t (*command)(struct tdp_link *link, const uint8_t *payload, size_t length);
    void (*withdraw)(struct tdp_link *link); /* every permission ends */
    uint8_t covered; /* the event whose last byte a proven session covers, 0 none */
};

struct tdp_event {
    uint8_t length;
    uint8_t bytes[TDP_EVENT_MAX];
};

struct tdp_link {
    const struct tdp_kind *kind;
    const struct tdp_identity *identity;
    struct tdp_kept kept;
    uint32_t opening;
    uint32_t last_command;
    uint32_t next_event;
    uint32_t oldest;  /* still held; next_event when none waits */
    uint32_t unsent;  /* the first of the window that has not gone out since it was filled or sent again */
    uint32_t heard_ms;
    uint32_t sent_ms; /* when the oldest was sent last, or something acknowledged */
    uint32_t retry_ms;
    uint32_t no_session_ms;
    uint32_t drops[TDP_DROPS];
    uint32_t last_heartbeat; /* the greatest that a proven session has taken */
    uint32_t pairing_ms;     /* when the switch was turned on */
    uint32_t nonces_made;
    uint32_t giver; /* opening of the host that gave the key */
    struct tdp_key pair;
    struct tdp_key session;
    uint8_t nonces[2 * TDP_NONCE]; /* the host's, the device's */
    bool paired;                   /* it has a key */
    bool proven;                   /* the session has one */
    bool pairing;                  /* it takes a key */
    bool took_key;                 /* in this boot, and from `giver`: its PAIR may come again */
    bool has_session;
    bool has_result;
    bool silent;
    bool said_no_session;
    bool skips; /* up to the next zero */
    uint8_t last_result;
    uint8_t heard;
    uint8_t in[TDP_STUFFED_MAX];
    uint8_t body[TDP_BODY_MAX + TDP_TAIL];
    uint8_t out[TDP_ON_LINE_MAX];
    struct tdp_event events[TDP_EVENTS_KEPT];
};

void tdp_receive(struct tdp_link *link, const uint8_t *data, size_t length);
void tdp_poll(struct tdp_link *link);
uint32_t tdp_due(const struct tdp_link *link); /* milliseconds until tdp_poll has something to do; TDP_NEVER */
bool tdp_must_lock(const struct tdp_link *link);
uint32_t tdp_waiting(const struct tdp_link *link);

/* In the factory, once in a device's life, before its first `tdp_KIND_start`: writes the kept numbers, all counts 0, and
 * known. Needs nothing of `link` but what the porting functions read of it. */
void tdp_first_start(struct tdp_link *link);

/* Somebody has turned on the switch inside: for a minute the device is locked and takes a key (tdp_pair.c). */
void tdp_pair_switched_on(struct tdp_link *link);

/* For the files of the kinds. */
bool tdp_begin(struct tdp_link *link, const struct tdp_kind *kind, const struct tdp_identity *identity);
void tdp_post(struct tdp_link *link, uint8_t id, const uint8_t *fields, size_t length);
void tdp_keep(struct tdp_link *link);
void tdp_settle(struct tdp_link *link); /* the last thing of each call from outside */
bool tdp_newer32(uint32_t a, uint32_t b);
uint8_t *tdp_put16(uint8_t *at, uint16_t value);
uint8_t *tdp_put32(uint8_t *at, uint32_t value);
uint16_t tdp_get16(const uint8_t *at);
uint32_t tdp_get32(const uint8_t *at);

/* The frame alone. */
uint32_t tdp_crc(const uint8_t *data, size_t length);
size_t tdp_stuff(const uint8_t *block, size_t length, uint8_t *out);
bool tdp_unstuff(uint8_t *block, size_t *length); /* in place */

/* ---- the porting layer: six functions of the maker's */

/* Sends a whole frame; what the line cannot take now is dropped whole (the protocol mends it). */
void tdp_port_send(struct tdp_link *link, const uint8_t *data, size_t length);
/* Milliseconds since the start; wraps. */
uint32_t tdp_port_now(const struct tdp_link *link);
/* One of the four places that survive a loss of power (numbers 0 and 1, the key 2 and 3); false where it cannot be
 * read. No port of service tells the last two. */
bool tdp_port_read(struct tdp_link *link, uint8_t place, void *kept, size_t length);
/* Returns when it is stored. */
void tdp_port_write(struct tdp_link *link, uint8_t place, const void *kept, size_t length);
/* From a real source of randomness: a boot number where the kept ones are broken, four for each proven session. */
uint32_t tdp_port_draw(struct tdp_link *link);
/* Makes motors, locks, lamps and pictures what the device's `wants` says now (a shoe: `locked`). `link` is the first
 * member of the device's struct, so that a cast leads there. */
void tdp_port_set(struct tdp_link *link);

#endif
