#include "tdp_display.h"

enum event { STARTED = 0x01, FAULTED = 0x02 };

enum { APPLY = 0x01, QUERY = 0x02, READ_BACK = 2, AMOUNT_LENGTH = 8, VALUES_LENGTH = 4 * TDP_COLOURS };

#define AMOUNT_MAX 99999999999999u
#define VALUE_MAX 99999999u

static bool same(const struct tdp_picture *one, const struct tdp_picture *other)
{
    for (size_t index = 0; index < TDP_PICTURE_MAX; index++) {
        if (one->bytes[index] != other->bytes[index]) {
            return false;
        }
    }
    return true;
}

/* Shows what it should, and tells once where the read-back differs. */
static void show(struct tdp_display *display)
{
    tdp_port_set(&display->link);
    const bool differs = !same(&display->wants, &display->shown);
    const bool begins = differs && !display->told;
    display->told = differs;
    if (begins) {
        const uint8_t code = READ_BACK;
        tdp_post(&display->link, FAULTED, &code, 1);
    }
}

static uint8_t obey(struct tdp_link *link, const uint8_t *payload, const struct tdp_picture *wanted)
{
    struct tdp_display *display = (struct tdp_display *)link;
    if (payload[0] != APPLY) {
        return TDP_BAD_COMMAND;
    }
    display->wants = *wanted;
    show(display);
    return TDP_OK;
}

static void begin(struct tdp_display *display, const struct tdp_kind *kind, const struct tdp_identity *identity,
                  enum tdp_cause cause)
{
    tdp_begin(&display->link, kind, identity);
    tdp_keep(&display->link);
    display->told = true; /* nothing before `started` */
    memset(&display->wants, 0, sizeof display->wants);
    memset(&display->shown, 0, sizeof display->shown);
    kind->withdraw(&display->link);
    display->told = false;
    const uint8_t field = (uint8_t)cause;
    tdp_post(&display->link, STARTED, &field, 1);
    tdp_settle(&display->link);
}

/* ---- a jackpot's amount */

static void status(const struct tdp_link *link, uint8_t *block)
{
    const struct tdp_display *display = (const struct tdp_display *)link;
    memcpy(block, display->shown.bytes, AMOUNT_LENGTH);
    block[AMOUNT_LENGTH] = (uint8_t)(display->shown.bytes[AMOUNT_LENGTH] | (tdp_must_lock(link) ? 2u : 0u));
}

/* The fault picture stands before whatever amount was asked for [12.2]. */
static void withdraw(struct tdp_link *link)
{
    struct tdp_display *display = (struct tdp_display *)link;
    display->wants.bytes[AMOUNT_LENGTH] = 1;
    show(display); /* where it sticks at the amount, it tells that [12.3] */
}

static uint64_t amount_of(const uint8_t *at)
{
    return tdp_get32(at) | ((uint64_t)tdp_get32(at + 4) << 32);
}

static uint8_t command(struct tdp_link *link, const uint8_t *payload, size_t length)
{
    struct tdp_picture wanted = {{0}};
    if (length == 1 && payload[0] == QUERY) {
        return TDP_OK;
    }
    if (length != AMOUNT_LENGTH + 2 || amount_of(payload + 1) > AMOUNT_MAX || payload[AMOUNT_LENGTH + 1] > 1) {
        return TDP_BAD_COMMAND;
    }
    memcpy(wanted.bytes, payload + 1, AMOUNT_LENGTH + 1);
    if (tdp_must_lock(link)) {
        wanted.bytes[AMOUNT_LENGTH] = 1; /* [12.5] */
    }
    return obey(link, payload, &wanted);
}

static const struct tdp_kind DISPLAY = {3, AMOUNT_LENGTH + 1, status, command, withdraw, 0};

void tdp_display_start(struct tdp_display *display, const struct tdp_identity *identity, enum tdp_cause cause)
{
    begin(display, &DISPLAY, identity, cause);
}

/* ---- what chips are worth */

static void values_status(const struct tdp_link *link, uint8_t *block)
{
    const struct tdp_display *display = (const struct tdp_display *)link;
    memcpy(block, display->shown.bytes, VALUES_LENGTH);
    block[VALUES_LENGTH] = tdp_must_lock(link) ? 1 : 0;
}

/* Chips of these values lie on the table: the markers stay [13.4]. */
static void values_withdraw(struct tdp_link *link)
{
    (void)link;
}

static uint8_t values_command(struct tdp_link *link, const uint8_t *payload, size_t length)
{
    struct tdp_picture wanted;
    if (length == 1 && payload[0] == QUERY) {
        return TDP_OK;
    }
    if (length != VALUES_LENGTH + 1) {
        return TDP_BAD_COMMAND;
    }
    for (size_t colour = 0; colour < TDP_COLOURS; colour++) {
        if (tdp_get32(payload + 1 + 4 * colour) > VALUE_MAX) {
            return TDP_BAD_COMMAND;
        }
    }
    if (tdp_must_lock(link)) {
        return payload[0] == APPLY ? TDP_OK : TDP_BAD_COMMAND; /* [13.5] */
    }
    memcpy(wanted.bytes, payload + 1, VALUES_LENGTH);
    return obey(link, payload, &wanted);
}

static const struct tdp_kind VALUES = {4, VALUES_LENGTH + 1, values_status, values_command, values_withdraw, 0};

void tdp_values_start(struct tdp_display *display, const struct tdp_identity *identity, enum tdp_cause cause)
{
    begin(display, &VALUES, identity, cause);
}

/* ---- what the panel tells */

void tdp_display_looked(struct tdp_display *display)
{
    show(display);
    tdp_settle(&display->link);
}

void tdp_display_failed(struct tdp_display *display, uint8_t code)
{
    tdp_post(&display->link, FAULTED, &code, 1);
    tdp_settle(&display->link);
}
