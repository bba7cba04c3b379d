/* Proof and pairing (section 18 of the text). */
#include "tdp_inner.h"

enum { KEY_INPUT = 2 + 4 + 4 + 2 * TDP_NONCE, PAD_INPUT = 2 + 4, PAIR_BODY = TDP_HEADER + TDP_SECRET };

/* A secret of zeros is none; its key is made all the same, so that a PAIR that comes again is known by it. */
static void use(struct tdp_link *link, const uint8_t *secret)
{
    const uint8_t none[TDP_SECRET] = {0};
    tdp_key_of(&link->pair, secret);
    link->paired = !tdp_same(secret, none, sizeof none);
}

static void begin(struct tdp_link *link)
{
    struct tdp_kept_key kept = {0};
    tdp_recall(link, TDP_KEY_AT, &kept, sizeof kept);
    use(link, kept.secret);
}

static void tag(const struct tdp_key *key, const uint8_t *body, size_t length, uint8_t *at)
{
    uint8_t digest[TDP_DIGEST];
    tdp_hmac(key, body, length, digest);
    memcpy(at, digest, TDP_TAG);
}

static uint8_t pad(const struct tdp_link *link, uint32_t number)
{
    uint8_t input[PAD_INPUT] = {0x00, 0x43};
    uint8_t digest[TDP_DIGEST];
    tdp_put32(input + 2, number);
    tdp_hmac(&link->session, input, sizeof input, digest);
    return digest[0];
}

/* A source of randomness that always says the same, or the same behind each start, makes no nonce twice [18.4]. */
static void make_nonce(struct tdp_link *link, uint8_t *at)
{
    at = tdp_put32(at, tdp_port_draw(link) ^ link->nonces_made++);
    at = tdp_put32(at, tdp_port_draw(link) ^ link->kept.boot);
    for (size_t word = 2; word < TDP_NONCE / 4; word++) {
        at = tdp_put32(at, tdp_port_draw(link));
    }
}

static void make_session_key(struct tdp_link *link, const uint8_t *host_nonce)
{
    uint8_t input[KEY_INPUT] = {0x00, 0x53};
    uint8_t secret[TDP_SECRET];
    memcpy(link->nonces, host_nonce, TDP_NONCE);
    make_nonce(link, link->nonces + TDP_NONCE);
    uint8_t *at = tdp_put32(tdp_put32(input + 2, link->opening), link->kept.boot);
    memcpy(at, link->nonces, sizeof link->nonces);
    tdp_hmac(&link->pair, input, sizeof input, secret);
    tdp_key_of(&link->session, secret);
}

/* No sign of life [18.9]: the host may be a recorder. */
static void take_proven_hello(struct tdp_link *link, uint32_t opening, size_t length)
{
    const uint8_t *nonce = link->in + TDP_HEADER + TDP_HELLO_PAYLOAD;
    if (length != TDP_HELLO_PAYLOAD + TDP_NONCE) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
    } else if (link->proven && opening == link->opening && tdp_same(nonce, link->nonces, TDP_NONCE)) {
        tdp_welcome(link); /* [18.5] */
    } else if (tdp_may_open(link, opening)) {
        tdp_open_session(link, opening, true);
        link->last_heartbeat = 0;
        make_session_key(link, nonce);
        tdp_welcome(link);
    } else {
        tdp_drop(link, TDP_DROP_HELLO); /* [4.7] */
    }
}

static bool takes_hello(struct tdp_link *link, uint32_t opening, size_t length)
{
    if (link->pairing && tdp_is_tagged(link, NULL, TDP_HEADER + length)) {
        return false; /* [18.13] */
    }
    if (tdp_is_tagged(link, &link->pair, TDP_HEADER + length)) {
        take_proven_hello(link, opening, length);
    } else {
        tdp_drop(link, TDP_DROP_TAG);
        tdp_send_rarely(link, NOT_PROVEN, opening, NULL); /* [18.1] */
    }
    return true;
}

/* As before the first session of a boot [7.7]. */
static void end_session(struct tdp_link *link)
{
    link->has_session = false;
    link->proven = false;
    link->silent = true;
    link->kind->withdraw(link);
}

/* A minute without a key: what was opened without proof for it is over. */
static void watch(struct tdp_link *link, uint32_t now)
{
    if (now - link->pairing_ms >= TDP_PAIRING_MS) {
        link->pairing = false;
        if (link->paired && !link->proven) {
            end_session(link);
        }
    }
}

/* Into both places: where one breaks later, the key of the pair before does not come back. */
static void learn(struct tdp_link *link, const uint8_t *secret)
{
    struct tdp_kept_key kept = {0};
    tdp_recall(link, TDP_KEY_AT, &kept, sizeof kept);
    memcpy(kept.secret, secret, sizeof kept.secret);
    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept); /* [18.19] */
    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept);
    use(link, secret);
    link->pairing = false;
    end_session(link);
    link->took_key = true;
    link->giver = link->opening;
}

/* The PAIR that this boot was paired by: its answer was lost. */
static bool is_again(const struct tdp_link *link, size_t length)
{
    struct tdp_key key;
    const bool is_of_giver = link->took_key && tdp_get32(link->in + 1) == link->giver;
    if (!is_of_giver || tdp_get32(link->in + 5) != link->kept.boot || length != PAIR_BODY) {
        return false;
    }
    tdp_key_of(&key, link->in + TDP_HEADER);
    return tdp_is_tagged(link, NULL, length) && tdp_same((const uint8_t *)&key, (const uint8_t *)&link->pair, sizeof key);
}

static void say_paired(struct tdp_link *link)
{
    tdp_send(link, tdp_header(link, PAIRED, link->giver, 0), tdp_pair_key(link)); /* [18.15] [18.16] */
}

static void take_key(struct tdp_link *link, size_t length)
{
    if (length != PAIR_BODY) {
        tdp_drop(link, TDP_DROP_PAYLOAD);
    } else if (!link->pairing) {
        tdp_drop(link, TDP_DROP_PAIR); /* [18.13] */
    } else {
        learn(link, link->in + TDP_HEADER);
        say_paired(link);
    }
}

static void take_pair(struct tdp_link *link, bool is_ours, size_t length)
{
    if (is_again(link, length)) {
        say_paired(link);
    } else if (!is_ours || !link->has_session) {
        tdp_drop(link, TDP_DROP_SESSION);
    } else if (link->proven || !tdp_is_tagged(link, NULL, length)) {
        tdp_drop(link, TDP_DROP_TAG);
    } else {
        tdp_hear(link); /* [7.4] */
        take_key(link, length);
    }
}

const struct tdp_pairing TDP_PAIRING = {begin, tag, pad, takes_hello, take_pair, watch};

void tdp_pair_switched_on(struct tdp_link *link)
{
    if (link->identity->pairing != NULL) {
        link->pairing = true;
        link->pairing_ms = tdp_port_now(link);
        link->kind->withdraw(link); /* [18.14] */
        tdp_settle(link);
    }
}
