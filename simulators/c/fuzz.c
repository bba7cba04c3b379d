/* For libFuzzer: bytes are deeds. A device lives through them, and after each what must always hold is looked at.
 *
 * clang -fsanitize=fuzzer,address,undefined -I. fuzz*.c tdp*.c -o fuzz && ./fuzz -max_len=4096 CORPUS
 */
#include <stdlib.h>

#include "fuzz.h"
#include "tdp_inner.h"

enum { HOST_FRAME_MAX = 80, MOMENT_MS = 37 };

struct fuzz fuzz;
static struct tdp_link *const link = &fuzz.device.link;
static uint32_t now_ms;
static const uint8_t *bytes;
static size_t bytes_left;

void fuzz_must(bool holds)
{
    if (!holds) {
        abort();
    }
}

uint8_t fuzz_next(void)
{
    if (bytes_left == 0) {
        return 0;
    }
    bytes_left--;
    return *bytes++;
}

/* The tag that a frame of this kind has: of the session, of the pair, or none (an IDENTITY may be of another major). */
static const struct tdp_key *key_of(uint8_t kind, const uint8_t *body)
{
    if (kind == NO_SESSION || kind == PAIRED) {
        return tdp_pair_key(link);
    }
    const bool is_of_none = kind == NOT_PROVEN || (kind == IDENTITY && link->in[TDP_HEADER] != TDP_MAJOR);
    fuzz_must(is_of_none || tdp_get32(body + 1) == link->opening);
    return is_of_none ? NULL : tdp_session_key(link);
}

/* Each frame that it says is one: no zero inside, right CRC and tag, and not too long. */
void tdp_port_send(struct tdp_link *of, const uint8_t *data, size_t length)
{
    uint8_t block[TDP_STUFFED_MAX];
    (void)of;
    fuzz_must(length >= 2 && length <= TDP_ON_LINE_MAX && data[0] == 0 && data[length - 1] == 0);
    size_t inner = length - 2;
    memcpy(block, data + 1, inner);
    for (size_t index = 0; index < inner; index++) {
        fuzz_must(block[index] != 0);
    }
    fuzz_must(tdp_unstuff(block, &inner) && tdp_crc(block, inner - 4) == tdp_get32(block + inner - 4));
    fuzz_must(block[0] >= IDENTITY && block[0] <= PAIRED && tdp_get32(block + 5) == link->kept.boot);
    uint8_t tag[TDP_TAG];
    tdp_make_tag(link, key_of(block[0], block), block, inner - TDP_TAIL, tag);
    fuzz_must(tdp_same(tag, block + inner - TDP_TAIL, sizeof tag));
}

uint32_t tdp_port_now(const struct tdp_link *of)
{
    (void)of;
    return now_ms;
}

bool tdp_port_read(struct tdp_link *of, uint8_t place, void *kept, size_t length)
{
    (void)of;
    memcpy(kept, fuzz.places[place], length);
    return !fuzz.unreadable;
}

void tdp_port_write(struct tdp_link *of, uint8_t place, const void *kept, size_t length)
{
    (void)of;
    memcpy(fuzz.places[place], kept, length);
}

uint32_t tdp_port_draw(struct tdp_link *of)
{
    (void)of;
    return fuzz_next();
}

static void look_at_shuffler(const struct tdp_shuffler *shuffler)
{
    const bool jammed = (link->kept.flags & TDP_KEPT_JAMMED) != 0;
    fuzz_must(shuffler->wants.work == 0 || (!tdp_must_lock(link) && !jammed && !shuffler->seen.lid_open));
    fuzz_must(shuffler->wants.lamp || !jammed);
}

/* Locked is locked: nothing is permitted while the host is silent, a jam is latched or the lid open. */
void tdp_port_set(struct tdp_link *of)
{
    (void)of;
    fuzz_must(tdp_waiting(link) <= TDP_EVENTS_KEPT);
    fuzz_must(link->unsent - link->oldest <= TDP_EVENT_WINDOW);
    fuzz_must(!link->paired || !link->has_session || link->proven || link->pairing); /* nothing without proof */
    fuzz_must(!link->pairing || tdp_must_lock(link));
    if (fuzz.kind_of_device == SHUFFLER) {
        look_at_shuffler(&fuzz.device.shuffler);
    } else if (fuzz.kind_of_device == SHOE) {
        fuzz_must(fuzz.device.shoe.locked || !tdp_must_lock(link));
    } else if (fuzz.kind_of_device == SLOTS) {
        fuzz_must(fuzz.device.slots.taking == 0 || !tdp_must_lock(link));
        fuzz.device.slots.chips = (uint16_t)(fuzz.device.slots.chips & ~fuzz.device.slots.taking);
    } else if (!fuzz.sticks) {
        fuzz.device.display.shown = fuzz.device.display.wants;
    }
    fuzz_must(fuzz.kind_of_device != DISPLAY || fuzz.device.display.wants.bytes[8] == 1 || !tdp_must_lock(link));
}

/* `flaw` spoils the tag. */
static void hear_body(uint8_t *body, size_t length, const struct tdp_key *key, uint8_t flaw)
{
    uint8_t line[HOST_FRAME_MAX + TDP_TAIL + 2];
    tdp_make_tag(link, key, body, length, body + length);
    body[length + TDP_TAG - 1] ^= flaw;
    tdp_put32(body + length + 8, tdp_crc(body, length + 8));
    const size_t stuffed = tdp_stuff(body, length + TDP_TAIL, line);
    line[stuffed] = 0;
    tdp_receive(link, line, stuffed + 1);
}

/* Any bytes behind a right CRC. */
static void hear_any(void)
{
    uint8_t body[HOST_FRAME_MAX + TDP_TAIL];
    const size_t length = fuzz_next() % HOST_FRAME_MAX;
    for (size_t index = 0; index < length; index++) {
        body[index] = fuzz_next();
    }
    hear_body(body, length, NULL, fuzz_next() < 16 ? 1 : 0);
}

/* A host that has the key, but where the switch is on. */
static bool says_proof(void)
{
    return link->paired && !link->pairing;
}

static uint8_t *hello(uint8_t *at)
{
    *at++ = fuzz_next() < 8 ? 2 : 1;
    *at++ = 0;
    at = tdp_put32(at, link->kept.boot - (fuzz_next() & 1u));
    at = tdp_put32(at, link->oldest + fuzz_next() % 12u - 1u);
    if (says_proof()) {
        memset(at, fuzz_next() & 1u, TDP_NONCE);
        at += TDP_NONCE;
    }
    return at;
}

static uint8_t *apply(uint8_t *at)
{
    const uint8_t flags = fuzz_next();
    *at++ = flags == 8 ? 9 : 1;
    at = tdp_put32(at, link->kept.count_out + fuzz_next() % 4u - 1u);
    *at++ = flags & 1u;
    *at++ = (flags >> 1) & 1u;
    *at++ = (flags >> 2) & 1u;
    if (flags > 240) {
        at[-1 - (int)(flags % 3u)] = 2;
    }
    at = tdp_put16(at, (uint16_t)(flags == 9 ? fuzz_next() * 256u : link->kept.jams + fuzz_next() % 3u - 1u));
    return tdp_put16(at, (uint16_t)(link->kept.recounts + (flags >> 7)));
}

/* The other kinds: few bytes, mostly small. */
static uint8_t *apply_of_others(uint8_t *at)
{
    const uint8_t flags = fuzz_next();
    const size_t length = fuzz.kind_of_device == SHOE ? 1 : fuzz.kind_of_device == DISPLAY ? 9 : TDP_PICTURE_MAX;
    *at++ = flags == 8 ? 9 : 1;
    memset(at, 0, length);
    at[flags % length] = fuzz_next();
    at[length - 1] = flags < 200 ? flags & 1u : flags;
    return at + length;
}

static uint8_t *apply_of_slots(uint8_t *at)
{
    const uint8_t flags = fuzz_next();
    *at++ = flags == 8 ? 9 : 1;
    at = tdp_put16(at, (uint16_t)(link->kept.jams + (flags & 1u)));
    at = tdp_put16(at, fuzz_next());
    return tdp_put32(at, flags);
}

static uint8_t *payload_of(uint8_t kind, uint8_t *at)
{
    const uint8_t how = fuzz_next();
    if (kind == 1 && how == 79) {
        return at + 1; /* it ends before its major */
    }
    if (kind == 1) {
        at = hello(at);
    } else if (kind == 2 && how < 32) {
        *at++ = how < 2 ? 3 : 2;
    } else if (kind == 2) {
        at = fuzz.kind_of_device == SHUFFLER ? apply(at)
             : fuzz.kind_of_device == SLOTS  ? apply_of_slots(at)
                                             : apply_of_others(at);
    } else if (kind == 4) {
        *at++ = how > 250 ? 2 : how & 1u;
    } else if (kind == 5) {
        memset(at, how % 3u, TDP_SECRET);
        at += TDP_SECRET - (how > 240 ? 1 : 0);
    }
    if (kind == 2 && how == 0) {
        return at - 1;
    }
    if (how == 77) {
        return at + 1;
    }
    return how == 78 && kind != 3 ? at - 1 : at;
}

/* A frame such as a host of the session says it, or one of a moment before. */
static void hear_frame(uint8_t kind)
{
    uint8_t body[HOST_FRAME_MAX + TDP_TAIL] = {0};
    const uint8_t how = fuzz_next();
    const bool is_hello = kind == 1;
    body[0] = kind;
    tdp_put32(body + 1, is_hello ? 1u + (how & 3u) : link->opening - (how > 250 ? 1u : 0u));
    tdp_put32(body + 5, is_hello ? how > 250 ? 1u : 0u : link->kept.boot - (how == 250 || (kind == PAIR && how < 8) ? 1u : 0u));
    const uint32_t numbers[] = {0, how == 249 ? 1 : 0, link->last_command + (how < 200 ? 1u : how & 3u),
                                link->oldest + how % 12u - 1u, how, how == 249 ? 1 : 0};
    tdp_put32(body + 9, numbers[kind]);
    const uint8_t *end = payload_of(kind, body + TDP_HEADER);
    const struct tdp_key *hello_key = says_proof() ? &link->pair : NULL;
    const struct tdp_key *key = is_hello ? hello_key : kind == PAIR && how < 240 ? NULL : tdp_session_key(link);
    const bool is_flawed = how == 248 || (kind == PAIR && how >= 8 && how < 32);
    hear_body(body, (size_t)(end - body), key, link->paired && is_flawed ? 1 : 0);
}

static void hear_bytes(void)
{
    uint8_t noise[256];
    const size_t length = fuzz_next();
    for (size_t index = 0; index < length; index++) {
        noise[index] = fuzz_next();
    }
    tdp_receive(link, noise, length);
    size_t unstuffed = length;
    fuzz_must(!tdp_unstuff(noise, &unstuffed) || unstuffed <= length);
}

static void live(uint8_t deed)
{
    const uint32_t due = tdp_due(link);
    switch (deed & 7u) {
    case 0:
        if ((deed & 24u) == 24u) {
            hear_frame(PAIR);
        } else if (deed & 8u) {
            hear_any();
        } else {
            hear_bytes();
        }
        break;
    case 1:
    case 2:
    case 3:
    case 4:
        hear_frame(deed & 7u);
        break;
    case 5:
        now_ms += (deed >> 3) * MOMENT_MS;
        fuzz_must(tdp_due(link) <= due || due == TDP_NEVER);
        tdp_poll(link);
        break;
    case 6:
        now_ms += due == TDP_NEVER ? 0 : due;
        tdp_poll(link);
        fuzz_must(tdp_due(link) != 0);
        break;
    default:
        if (deed == 247 || deed == 239) {
            tdp_pair_switched_on(link);
        } else if ((deed & 24u) == 24u && fuzz.identity.pairing != NULL) {
            hear_frame(PAIR);
        } else {
            fuzz_touch(fuzz_next());
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    bytes_left = size;
    now_ms = 0;
    memset(fuzz.places, 0, sizeof fuzz.places);
    memset(&fuzz.device, 0, sizeof fuzz.device);
    const uint8_t how = fuzz_next();
    fuzz.kind_of_device = (enum kind)(how % KINDS);
    fuzz.identity = (struct tdp_identity){
        1, true, "Sabot C core", "FUZZ", "1.0.0", (how & 0xC0u) == 0 ? &TDP_PAIRING : NULL,
    };
    if (how & 16u) {
        tdp_first_start(link);
    }
    fuzz_start();
    while (bytes_left > 0) {
        const uint8_t deed = fuzz_next();
        if (deed > 248) {
            fuzz_start();
        } else {
            live(deed);
        }
    }
    return 0;
}

#ifdef TDP_REPLAY
#include <stdio.h>

/* Without libFuzzer: inputs on stdin, each behind its length (two bytes, little endian). */
int main(void)
{
    uint8_t head[2];
    static uint8_t input[UINT16_MAX];
    while (fread(head, 1, sizeof head, stdin) == sizeof head) {
        const size_t length = tdp_get16(head);
        fuzz_must(fread(input, 1, length, stdin) == length);
        LLVMFuzzerTestOneInput(input, length);
    }
    return 0;
}
#endif
