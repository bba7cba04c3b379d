/* A host for the core: one device whose bytes, time and sensors come as lines on stdin, answered by one line each.
 *
 * A line is `MS VERB WORDS...`, numbers in decimal, bytes in hex. An answer is
 * `DUE WANTS LOCKED WAITING BOOT STATUS FRAMES`: DUE in milliseconds, -1 for never; `-` for no bytes.
 * The kept numbers lie in this process: a `start` is a new boot with the memory of the one before.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "tdp_inner.h"

struct tdp_identity host_identity;

enum { LINE_MAX_BYTES = 8192, SAID_MAX = 65536, WORDS_MAX = 5, QUEUE_MAX = 4 };

static struct tdp_link *link;
static const struct host_kind *kind;
static uint8_t places[TDP_KEPT_PLACES][TDP_KEPT_MAX];
static uint8_t said[SAID_MAX];
static size_t said_length;
static uint32_t now_ms;
static uint32_t next_draw = 0x5AB07u;
static uint32_t queue[QUEUE_MAX];
static size_t queued;
static const struct tdp_kind *honest;

void tdp_port_send(struct tdp_link *of, const uint8_t *data, size_t length)
{
    (void)of;
    if (length <= SAID_MAX - said_length) {
        memcpy(said + said_length, data, length);
        said_length += length;
    }
}

uint32_t tdp_port_now(const struct tdp_link *of)
{
    (void)of;
    return now_ms;
}

bool tdp_port_read(struct tdp_link *of, uint8_t place, void *kept, size_t length)
{
    (void)of;
    memcpy(kept, places[place], length);
    return true;
}

void tdp_port_write(struct tdp_link *of, uint8_t place, const void *kept, size_t length)
{
    (void)of;
    memcpy(places[place], kept, length);
}

uint32_t tdp_port_draw(struct tdp_link *of)
{
    (void)of; /* a test, no source of randomness */
    if (queued > 0) {
        return queue[QUEUE_MAX - queued--];
    }
    const uint32_t drawn = next_draw;
    next_draw = next_draw * 1664525u + 1013904223u;
    return drawn;
}

void tdp_port_set(struct tdp_link *of)
{
    (void)of; /* each answer tells what is wanted; a panel shows it at once */
    if (kind->set != NULL) {
        kind->set();
    }
}

static size_t bytes_of(const char *hex, uint8_t *bytes, size_t room)
{
    size_t length = 0;
    unsigned byte = 0;
    while (length < room && sscanf(hex + 2 * length, "%2x", &byte) == 1) {
        bytes[length++] = (uint8_t)byte;
    }
    return length;
}

static void print_bytes(const uint8_t *bytes, size_t length)
{
    if (length == 0) {
        putchar('-');
    }
    for (size_t index = 0; index < length; index++) {
        printf("%02x", bytes[index]);
    }
}

static void answer(void)
{
    uint8_t block[TDP_EVENT_MAX];
    const uint32_t due = tdp_due(link);
    link->kind->status(link, block);
    printf("%" PRId64 " %u %d %" PRIu32 " %" PRIu32 " ", due == TDP_NEVER ? -1 : (int64_t)due, kind->wants(),
           tdp_must_lock(link), tdp_waiting(link), link->kept.boot);
    print_bytes(block, link->kind->status_length);
    putchar(' ');
    print_bytes(said, said_length);
    putchar('\n');
    fflush(stdout);
    said_length = 0;
}

/* ---- the verbs */

static void hear(const char *word)
{
    uint8_t bytes[LINE_MAX_BYTES / 2];
    tdp_receive(link, bytes, bytes_of(word, bytes, sizeof bytes));
}

/* Kind, simulated and to be paired as bits, and the three texts. */
static bool be(const char *word)
{
    uint8_t bytes[2 + 3 * TDP_TEXT] = {0};
    const bool is_whole = bytes_of(word, bytes, sizeof bytes) == sizeof bytes;
    host_identity.kind = bytes[0];
    host_identity.simulated = (bytes[1] & 1u) != 0;
    host_identity.pairing = (bytes[1] & 2u) != 0 ? &TDP_PAIRING : NULL;
    memcpy(host_identity.model, bytes + 2, TDP_TEXT);
    memcpy(host_identity.serial, bytes + 2 + TDP_TEXT, TDP_TEXT);
    memcpy(host_identity.firmware, bytes + 2 + 2 * TDP_TEXT, TDP_TEXT);
    return is_whole;
}

/* The key, as if it had been given long ago. */
static bool have_key(const char *word)
{
    struct tdp_kept_key kept = {0};
    const bool is_whole = bytes_of(word, kept.secret, sizeof kept.secret) == sizeof kept.secret;
    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept);
    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept);
    TDP_PAIRING.begin(link);
    return is_whole;
}

static void do_draw(const unsigned long *number) /* the next that is drawn */
{
    next_draw = (uint32_t)number[0];
}

static void do_draws(const unsigned long *number) /* the four that are drawn before any other */
{
    for (size_t index = 0; index < QUEUE_MAX; index++) {
        queue[index] = (uint32_t)number[index];
    }
    queued = QUEUE_MAX;
}

static void do_spoil(const unsigned long *number) /* one place of the memory */
{
    places[number[0] % TDP_KEPT_PLACES][0] ^= 1u;
}

static void do_switch(const unsigned long *number)
{
    (void)number;
    tdp_pair_switched_on(link);
}

static void do_poll(const unsigned long *number)
{
    (void)number;
    tdp_poll(link);
}

static void do_first(const unsigned long *number) /* the boot that comes next */
{
    tdp_first_start(link);
    link->kept.boot = (uint32_t)number[0] - 1;
    tdp_keep(link);
    tdp_keep(link);
}

static void do_lose(const unsigned long *number) /* a byte of so many places of the memory is damaged */
{
    for (unsigned long place = 0; place < number[0] && place < TDP_KEY_AT; place++) {
        places[place][0] ^= 1u;
    }
}

static void do_cut(const unsigned long *number) /* the memory says that this motion was begun */
{
    link->kept.motion = (uint8_t)number[0];
    tdp_keep(link);
}

static void do_add(const unsigned long *number) /* a device that lies: other numbers than it counted */
{
    const uint32_t by = (uint32_t)number[0];
    link->kept.count_in += by;
    link->kept.count_out += by;
    link->kept.jams = (uint16_t)(link->kept.jams + by);
    link->kept.recounts = (uint16_t)(link->kept.recounts + by);
    tdp_keep(link);
    link->kind->withdraw(link);
}

static void do_had(const unsigned long *number) /* the counts of its life before */
{
    link->kept.count_in = (uint32_t)number[0];
    link->kept.count_out = (uint32_t)number[1];
    link->kept.inside = (int32_t)number[2];
    link->kept.jams = (uint16_t)number[3];
    link->kept.recounts = (uint16_t)number[4];
    tdp_keep(link);
}

static void do_again(const unsigned long *number) /* a device that lies: its next boot has the number of this one */
{
    (void)number;
    link->kept.boot--;
    tdp_keep(link);
}

static uint8_t says_ok(struct tdp_link *of, const uint8_t *payload, size_t length)
{
    return length > 0 && payload[0] == 1 ? TDP_OK : honest->command(of, payload, length);
}

static void do_disobey(const unsigned long *number) /* a device that lies: OK, and nothing is done */
{
    static struct tdp_kind liar;
    liar = *honest;
    liar.command = says_ok;
    link->kind = number[0] ? &liar : honest;
}

static void do_start(const unsigned long *number)
{
    kind->start(number);
    honest = link->kind;
}

static const struct host_verb VERBS[] = {
    {"poll", do_poll}, {"first", do_first}, {"start", do_start}, {"lose", do_lose},   {"cut", do_cut},
    {"add", do_add},   {"had", do_had},     {"again", do_again}, {"disobey", do_disobey},
    {"draw", do_draw}, {"draws", do_draws}, {"spoil", do_spoil}, {"switch", do_switch},
};

static bool act_of(const struct host_verb *verbs, size_t count, const char *verb, const unsigned long *number)
{
    for (size_t index = 0; index < count; index++) {
        if (strcmp(verb, verbs[index].word) == 0) {
            verbs[index].act(number);
            return true;
        }
    }
    return false;
}

static bool act(const char *verb, const char *words)
{
    unsigned long number[WORDS_MAX] = {0};
    char *rest = (char *)(uintptr_t)words;
    if (strcmp(verb, "hear") == 0) {
        hear(words + strspn(words, " "));
        return true;
    }
    if (strcmp(verb, "who") == 0) {
        return be(words + strspn(words, " "));
    }
    if (strcmp(verb, "key") == 0) {
        return have_key(words + strspn(words, " "));
    }
    for (size_t index = 0; index < WORDS_MAX; index++) {
        number[index] = strtoul(rest, &rest, 10);
    }
    return act_of(VERBS, sizeof VERBS / sizeof VERBS[0], verb, number) ||
           act_of(kind->verbs, kind->verb_count, verb, number);
}

int main(int count, char **words)
{
    static char line[LINE_MAX_BYTES];
    kind = count == 2 ? host_kind_of(words[1]) : NULL;
    if (kind == NULL) {
        fprintf(stderr, "which kind?\n");
        return 2;
    }
    link = kind->link;
    host_identity = (struct tdp_identity){kind->number, true, "Sabot C core", "SIM", "1.0.0", NULL};
    do_first((const unsigned long[]){1});
    do_start((const unsigned long[WORDS_MAX]){TDP_POWER_ON});
    while (fgets(line, sizeof line, stdin) != NULL) {
        char verb[16];
        int at = 0;
        if (sscanf(line, "%" SCNu32 " %15s%n", &now_ms, verb, &at) != 2 || !act(verb, line + at)) {
            fprintf(stderr, "what is this? %s", line);
            return 2;
        }
        answer();
    }
    return 0;
}
