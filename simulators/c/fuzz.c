/* For libFuzzer: bytes are deeds. A device lives through them, and after each what must always hold is looked at.
 *
 * clang -fsanitize=fuzzer,address,undefined -I. fuzz.c tdp*.c -o fuzz && ./fuzz -max_len=4096 CORPUS
 */
#include <stdlib.h>

#include "tdp_display.h"
#include "tdp_shoe.h"
#include "tdp_shuffler.h"

enum { HOST_FRAME_MAX = 80, MOMENT_MS = 37 };

enum kind { SHUFFLER, SHOE, DISPLAY, VALUES, KINDS };

static union {
    struct tdp_link link;
    struct tdp_shuffler shuffler;
    struct tdp_shoe shoe;
    struct tdp_display display;
} device;
static struct tdp_link *const link = &device.link;
static enum kind kind_of_device;
static bool sticks;
static const struct tdp_identity IDENTITY = {1, true, "Sabot C core", "FUZZ", "1.0.0"};
static struct tdp_kept places[TDP_KEPT_PLACES];
static uint32_t now_ms;
static bool unreadable;
static const uint8_t *bytes;
static size_t bytes_left;

static void must(bool holds)
{
    if (!holds) {
        abort();
    }
}

static uint8_t next(void)
{
    if (bytes_left == 0) {
        return 0;
    }
    bytes_left--;
    return *bytes++;
}

/* Each frame that it says is one: no zero inside, right CRC, and not too long. */
void tdp_port_send(struct tdp_link *of, const uint8_t *data, size_t length)
{
    uint8_t block[TDP_STUFFED_MAX];
    (void)of;
    must(length >= 2 && length <= TDP_ON_LINE_MAX && data[0] == 0 && data[length - 1] == 0);
    size_t inner = length - 2;
    memcpy(block, data + 1, inner);
    for (size_t index = 0; index < inner; index++) {
        must(block[index] != 0);
    }
    must(tdp_unstuff(block, &inner) && tdp_crc(block, inner - 4) == tdp_get32(block + inner - 4));
    must(block[0] >= 0x81 && tdp_get32(block + 5) == link->kept.boot);
}

uint32_t tdp_port_now(const struct tdp_link *of)
{
    (void)of;
    return now_ms;
}

bool tdp_port_read(struct tdp_link *of, uint8_t place, struct tdp_kept *kept)
{
    (void)of;
    *kept = places[place];
    return !unreadable;
}

void tdp_port_write(struct tdp_link *of, uint8_t place, const struct tdp_kept *kept)
{
    (void)of;
    places[place] = *kept;
}

uint32_t tdp_port_draw(struct tdp_link *of)
{
    (void)of;
    return next();
}

static void look_at_shuffler(const struct tdp_shuffler *shuffler)
{
    const bool jammed = (link->kept.flags & TDP_KEPT_JAMMED) != 0;
    must(shuffler->wants.work == 0 || (!tdp_must_lock(link) && !jammed && !shuffler->seen.lid_open));
    must(shuffler->wants.lamp || !jammed);
}

/* Locked is locked: nothing is permitted while the host is silent, a jam is latched or the lid open. */
void tdp_port_set(struct tdp_link *of)
{
    (void)of;
    must(tdp_waiting(link) <= TDP_EVENTS_KEPT);
    must(link->unsent - link->oldest <= TDP_EVENT_WINDOW);
    if (kind_of_device == SHUFFLER) {
        look_at_shuffler(&device.shuffler);
    } else if (kind_of_device == SHOE) {
        must(device.shoe.locked || !tdp_must_lock(link));
    } else if (!sticks) {
        device.display.shown = device.display.wants;
    }
    must(kind_of_device != DISPLAY || device.display.wants.bytes[8] == 1 || !tdp_must_lock(link));
}

static void hear_body(uint8_t *body, size_t length, uint8_t tag)
{
    uint8_t line[HOST_FRAME_MAX + TDP_TAIL + 2];
    memset(body + length, tag, 8);
    tdp_put32(body + length + 8, tdp_crc(body, length + 8));
    const size_t stuffed = tdp_stuff(body, length + TDP_TAIL, line);
    line[stuffed] = 0;
    tdp_receive(link, line, stuffed + 1);
}

/* Any bytes behind a right CRC. */
static void hear_any(void)
{
    uint8_t body[HOST_FRAME_MAX + TDP_TAIL];
    const size_t length = next() % HOST_FRAME_MAX;
    for (size_t index = 0; index < length; index++) {
        body[index] = next();
    }
    hear_body(body, length, next() < 16 ? 1 : 0);
}

static uint8_t *hello(uint8_t *at)
{
    *at++ = next() < 8 ? 2 : 1;
    *at++ = 0;
    at = tdp_put32(at, link->kept.boot - (next() & 1u));
    return tdp_put32(at, link->oldest + next() % 12u - 1u);
}

static uint8_t *apply(uint8_t *at)
{
    const uint8_t flags = next();
    *at++ = flags == 8 ? 9 : 1;
    at = tdp_put32(at, link->kept.count_out + next() % 4u - 1u);
    *at++ = flags & 1u;
    *at++ = (flags >> 1) & 1u;
    *at++ = (flags >> 2) & 1u;
    if (flags > 240) {
        at[-1 - (int)(flags % 3u)] = 2;
    }
    at = tdp_put16(at, (uint16_t)(flags == 9 ? next() * 256u : link->kept.jams + next() % 3u - 1u));
    return tdp_put16(at, (uint16_t)(link->kept.recounts + (flags >> 7)));
}

/* The other kinds: few bytes, mostly small. */
static uint8_t *apply_of_others(uint8_t *at)
{
    const uint8_t flags = next();
    const size_t length = kind_of_device == SHOE ? 1 : kind_of_device == DISPLAY ? 9 : TDP_PICTURE_MAX;
    *at++ = flags == 8 ? 9 : 1;
    memset(at, 0, length);
    at[flags % length] = next();
    at[length - 1] = flags < 200 ? flags & 1u : flags;
    return at + length;
}

static uint8_t *payload_of(uint8_t kind, uint8_t *at)
{
    const uint8_t how = next();
    if (kind == 1) {
        at = hello(at);
    } else if (kind == 2 && how < 32) {
        *at++ = how < 2 ? 3 : 2;
    } else if (kind == 2) {
        at = kind_of_device == SHUFFLER ? apply(at) : apply_of_others(at);
    } else if (kind == 4) {
        *at++ = how > 250 ? 2 : how & 1u;
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
    const uint8_t how = next();
    const bool is_hello = kind == 1;
    body[0] = kind;
    tdp_put32(body + 1, is_hello ? 1u + (how & 3u) : link->opening - (how > 250 ? 1u : 0u));
    tdp_put32(body + 5, is_hello ? how > 250 ? 1u : 0u : link->kept.boot - (how == 250 ? 1u : 0u));
    const uint32_t numbers[] = {0, how == 249 ? 1 : 0, link->last_command + (how < 200 ? 1u : how & 3u),
                                link->oldest + how % 12u - 1u, how};
    tdp_put32(body + 9, numbers[kind]);
    const uint8_t *end = payload_of(kind, body + TDP_HEADER);
    hear_body(body, (size_t)(end - body), 0);
}

static void hear_bytes(void)
{
    uint8_t noise[256];
    const size_t length = next();
    for (size_t index = 0; index < length; index++) {
        noise[index] = next();
    }
    tdp_receive(link, noise, length);
    size_t unstuffed = length;
    must(!tdp_unstuff(noise, &unstuffed) || unstuffed <= length);
}

static struct tdp_sensors sensors_of(uint8_t bits)
{
    const struct tdp_sensors sensors = {
        .lid_open = bits & 1u, .hopper_loaded = (bits >> 1) & 1u, .path_blocked = (bits >> 2) & 1u,
        .mouth_open = (bits >> 3) & 1u,
    };
    return sensors;
}

static void start(void)
{
    const uint8_t how = next();
    const struct tdp_sensors sensors = sensors_of(how & 15u);
    unreadable = how == 200;
    places[0].crc ^= (how >> 6) & 1u;
    places[1].crc ^= (how >> 7) & 1u;
    sticks = false;
    switch (kind_of_device) {
    case SHUFFLER:
        tdp_shuffler_start(&device.shuffler, &IDENTITY, TDP_POWER_ON, &sensors, (enum tdp_proof)((how >> 4) % 3u));
        break;
    case SHOE:
        tdp_shoe_start(&device.shoe, &IDENTITY, TDP_WATCHDOG, (how & 1u) != 0);
        break;
    case DISPLAY:
        tdp_display_start(&device.display, &IDENTITY, TDP_POWER_ON);
        break;
    default:
        tdp_values_start(&device.display, &IDENTITY, TDP_POWER_ON);
    }
}

static void flutter(unsigned times)
{
    for (unsigned time = 0; time <= times; time++) {
        tdp_shuffler_retried(&device.shuffler, TDP_AT_FEED, 1);
    }
}

static void touch_shuffler(uint8_t deed)
{
    const struct tdp_sensors sensors = sensors_of(deed >> 4);
    switch (deed & 7u) {
    case 0:
        tdp_shuffler_sense(&device.shuffler, &sensors);
        break;
    case 1:
        tdp_shuffler_card_in(&device.shuffler);
        break;
    case 2:
        tdp_shuffler_card_out(&device.shuffler);
        break;
    case 3:
        tdp_shuffler_jammed(&device.shuffler, TDP_AT_MOUTH, next());
        break;
    case 4:
        flutter(4u * (deed >> 4));
        break;
    case 5:
        tdp_shuffler_recounted(&device.shuffler, next() < 32 ? TDP_INSIDE_UNKNOWN : next());
        break;
    case 6:
        tdp_shuffler_begin(&device.shuffler, (enum tdp_work)(1u << (deed >> 6)));
        break;
    default:
        tdp_shuffler_end(&device.shuffler);
    }
}

static void touch_shoe(uint8_t deed)
{
    switch (deed & 3u) {
    case 0:
        tdp_shoe_failed(&device.shoe, next());
        break;
    case 1:
        tdp_shoe_mended(&device.shoe);
        break;
    default:
        for (unsigned time = 0; time <= deed >> 3; time++) {
            tdp_shoe_passed(&device.shoe, next());
        }
    }
}

static void touch_display(uint8_t deed)
{
    if ((deed & 3u) == 0) {
        for (unsigned time = 0; time <= deed >> 2; time++) {
            tdp_display_failed(&device.display, 1);
        }
    } else {
        sticks = (deed & 3u) == 1;
        tdp_display_looked(&device.display);
    }
}

static void touch(uint8_t deed)
{
    if (kind_of_device == SHUFFLER) {
        touch_shuffler(deed);
    } else if (kind_of_device == SHOE) {
        touch_shoe(deed);
    } else {
        touch_display(deed);
    }
}

static void live(uint8_t deed)
{
    const uint32_t due = tdp_due(link);
    switch (deed & 7u) {
    case 0:
        if (deed & 8u) {
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
        must(tdp_due(link) <= due || due == TDP_NEVER);
        tdp_poll(link);
        break;
    case 6:
        now_ms += due == TDP_NEVER ? 0 : due;
        tdp_poll(link);
        must(tdp_due(link) != 0);
        break;
    default:
        touch(next());
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    bytes_left = size;
    now_ms = 0;
    memset(places, 0, sizeof places);
    const uint8_t how = next();
    kind_of_device = (enum kind)(how % KINDS);
    if (how & 16u) {
        tdp_first_start(link);
    }
    start();
    while (bytes_left > 0) {
        const uint8_t deed = next();
        if (deed > 248) {
            start();
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
        must(fread(input, 1, length, stdin) == length);
        LLVMFuzzerTestOneInput(input, length);
    }
    return 0;
}
#endif
