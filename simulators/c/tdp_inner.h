/* What the files of the link share with each other, and with no maker. */
#ifndef TDP_INNER_H
#define TDP_INNER_H

#include "tdp.h"

enum tdp_frame {
    HELLO = 0x01,
    COMMAND = 0x02,
    ACK = 0x03,
    HEARTBEAT = 0x04,
    PAIR = 0x05,
    IDENTITY = 0x81,
    ANSWER = 0x82,
    EVENT = 0x83,
    HEARTBEAT_REPLY = 0x84,
    NO_SESSION = 0x85,
    NOT_PROVEN = 0x86,
    PAIRED = 0x87
};

enum { TDP_HELLO_PAYLOAD = 10 };

/* Proof, for a device that has it: the link itself knows of keys that there is one or none. */
struct tdp_pairing {
    void (*begin)(struct tdp_link *link);
    void (*tag)(const struct tdp_key *key, const uint8_t *body, size_t length, uint8_t *tag);
    uint8_t (*pad)(const struct tdp_link *link, uint32_t number);
    bool (*takes_hello)(struct tdp_link *link, uint32_t opening, size_t length); /* false: it shall be as without proof */
    void (*take_pair)(struct tdp_link *link, bool is_ours, size_t length);
    void (*watch)(struct tdp_link *link, uint32_t now); /* while it takes a key */
};

/* tdp_say.c: what goes out. A key that is NULL makes a tag of zeros. */
uint8_t *tdp_header(struct tdp_link *link, enum tdp_frame kind, uint32_t opening, uint32_t number);
void tdp_send(struct tdp_link *link, const uint8_t *end, const struct tdp_key *key);
void tdp_send_identity(struct tdp_link *link, uint32_t opening, bool is_proven);
void tdp_send_rarely(struct tdp_link *link, enum tdp_frame kind, uint32_t opening, const struct tdp_key *key);
void tdp_send_answer(struct tdp_link *link);
void tdp_send_heartbeat_reply(struct tdp_link *link, uint32_t number);
void tdp_make_tag(const struct tdp_link *link, const struct tdp_key *key, const uint8_t *body, size_t length,
                  uint8_t *tag);
const struct tdp_key *tdp_pair_key(const struct tdp_link *link);
const struct tdp_key *tdp_session_key(const struct tdp_link *link);

/* tdp.c: what comes in. */
void tdp_drop(struct tdp_link *link, enum tdp_drop reason);
void tdp_hear(struct tdp_link *link);
void tdp_open_session(struct tdp_link *link, uint32_t opening, bool is_proven);
bool tdp_may_open(const struct tdp_link *link, uint32_t opening);
void tdp_welcome(struct tdp_link *link);
bool tdp_is_tagged(const struct tdp_link *link, const struct tdp_key *key, size_t length);
bool tdp_same(const uint8_t *one, const uint8_t *other, size_t length);

/* tdp_kept.c: structs that begin with a turn and end with a CRC, in two places from `first` on. */
bool tdp_recall(struct tdp_link *link, uint8_t first, void *kept, size_t length);
void tdp_store(struct tdp_link *link, uint8_t first, void *kept, size_t length);

/* tdp_sha256.c: FIPS 180-4; RFC 2104 with a key of 32 bytes. */
enum { TDP_DIGEST = 32 };
void tdp_key_of(struct tdp_key *key, const uint8_t *secret);
void tdp_hmac(const struct tdp_key *key, const uint8_t *data, size_t length, uint8_t *digest);

#endif
