#include "tdp_slots.h"

enum event { STARTED = 0x01, CHANGED = 0x02 };

enum { APPLY = 0x01, QUERY = 0x02, APPLY_LENGTH = 9, STATUS_LENGTH = 11 };

static uint16_t chips_of(const struct tdp_slots *slots)
{
    return (uint16_t)(slots->chips & ~slots->broken);
}

static void status(const struct tdp_link *link, uint8_t *block)
{
    const struct tdp_slots *slots = (const struct tdp_slots *)link;
    block = tdp_put16(block, chips_of(slots));
    block = tdp_put16(block, slots->broken);
    block = tdp_put16(block, slots->lit);
    block = tdp_put16(block, slots->blinking);
    block = tdp_put16(block, link->kept.jams); /* collections */
    *block = tdp_must_lock(link) ? 1 : 0;
}

/* Lamps stay, and nothing is taken in without a command [14.8]. */
static void withdraw(struct tdp_link *link)
{
    (void)link;
}

/* The chips first, then the number: power that fails between leaves a collection that takes in nothing more. */
static void collect(struct tdp_slots *slots, uint16_t seats)
{
    slots->taking = seats;
    tdp_port_set(&slots->link);
    slots->taking = 0;
    slots->link.kept.jams++;
    tdp_keep(&slots->link); /* [14.3] */
    tdp_post(&slots->link, CHANGED, NULL, 0);
}

static uint8_t command(struct tdp_link *link, const uint8_t *payload, size_t length)
{
    struct tdp_slots *slots = (struct tdp_slots *)link;
    if (length == 1 && payload[0] == QUERY) {
        return TDP_OK;
    }
    if (length != APPLY_LENGTH || payload[0] != APPLY) {
        return TDP_BAD_COMMAND;
    }
    if (tdp_must_lock(link)) {
        return TDP_OK; /* [14.9] */
    }
    slots->lit = tdp_get16(payload + 5);
    slots->blinking = tdp_get16(payload + 7);
    if (tdp_get16(payload + 1) == (uint16_t)(link->kept.jams + 1u)) {
        collect(slots, tdp_get16(payload + 3)); /* [14.4] [14.5] */
    }
    return TDP_OK;
}

static const struct tdp_kind SLOTS = {5, STATUS_LENGTH, status, command, withdraw, 0};

void tdp_slots_start(struct tdp_slots *slots, const struct tdp_identity *identity, enum tdp_cause cause, uint16_t chips,
                     uint16_t broken)
{
    tdp_begin(&slots->link, &SLOTS, identity);
    slots->chips = chips;
    slots->broken = broken;
    slots->lit = slots->blinking = slots->taking = 0; /* [14.7] */
    tdp_keep(&slots->link);
    const uint8_t field = (uint8_t)cause;
    tdp_post(&slots->link, STARTED, &field, 1);
    tdp_settle(&slots->link);
}

void tdp_slots_sense(struct tdp_slots *slots, uint16_t chips, uint16_t broken)
{
    const uint16_t before = chips_of(slots);
    const bool breaks = slots->broken != broken;
    slots->chips = chips;
    slots->broken = broken;
    if (breaks || before != chips_of(slots)) {
        tdp_post(&slots->link, CHANGED, NULL, 0); /* [14.2] */
        tdp_settle(&slots->link);
    }
}
