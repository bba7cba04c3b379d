/* The kinds that host.c runs, and what affects each of them. */
#include <string.h>

#include "host.h"
#include "tdp_display.h"
#include "tdp_shoe.h"
#include "tdp_shuffler.h"
#include "tdp_slots.h"

/* ---- shuffler: its mechanism is at the other end of the lines */

static struct tdp_shuffler shuffler;

static struct tdp_sensors sensors_of(unsigned long bits)
{
    const struct tdp_sensors sensors = {
        .lid_open = bits & 1u, .hopper_loaded = (bits >> 1) & 1u, .path_blocked = (bits >> 2) & 1u,
        .mouth_open = (bits >> 3) & 1u,
    };
    return sensors;
}

static void start_shuffler(const unsigned long *number)
{
    const struct tdp_sensors sensors = sensors_of(number[1]);
    tdp_shuffler_start(&shuffler, &host_identity, (enum tdp_cause)number[0], &sensors, (enum tdp_proof)number[2]);
}

static void do_sense(const unsigned long *number)
{
    const struct tdp_sensors sensors = sensors_of(number[0]);
    tdp_shuffler_sense(&shuffler, &sensors);
}

static void do_begin(const unsigned long *number)
{
    tdp_shuffler_begin(&shuffler, (enum tdp_work)number[0]);
}

static void do_end(const unsigned long *number)
{
    (void)number;
    tdp_shuffler_end(&shuffler);
}

static void do_in(const unsigned long *number)
{
    (void)number;
    tdp_shuffler_card_in(&shuffler);
}

static void do_out(const unsigned long *number)
{
    (void)number;
    tdp_shuffler_card_out(&shuffler);
}

static void do_retried(const unsigned long *number)
{
    tdp_shuffler_retried(&shuffler, (enum tdp_place)number[0], (uint8_t)number[1]);
}

static void do_jammed(const unsigned long *number)
{
    tdp_shuffler_jammed(&shuffler, (enum tdp_place)number[0], (uint8_t)number[1]);
}

static void do_recounted(const unsigned long *number)
{
    tdp_shuffler_recounted(&shuffler, (uint16_t)number[0]);
}

static unsigned shuffler_wants(void)
{
    return shuffler.wants.work | (shuffler.wants.lamp ? 16u : 0u);
}

static const struct host_verb SHUFFLER_VERBS[] = {
    {"sense", do_sense}, {"begin", do_begin},     {"end", do_end},       {"in", do_in},
    {"out", do_out},     {"retried", do_retried}, {"jammed", do_jammed}, {"recounted", do_recounted},
};

/* ---- shoe */

static struct tdp_shoe shoe;

static void start_shoe(const unsigned long *number)
{
    tdp_shoe_start(&shoe, &host_identity, (enum tdp_cause)number[0], number[1] == 0);
}

static void do_passed(const unsigned long *number)
{
    tdp_shoe_passed(&shoe, (uint8_t)number[0]);
}

static void do_failed(const unsigned long *number)
{
    tdp_shoe_failed(&shoe, (uint8_t)number[0]);
}

static void do_mended(const unsigned long *number)
{
    (void)number;
    tdp_shoe_mended(&shoe);
}

static unsigned shoe_wants(void)
{
    return shoe.locked ? 1 : 0;
}

static const struct host_verb SHOE_VERBS[] = {{"passed", do_passed}, {"failed", do_failed}, {"mended", do_mended}};

/* ---- displays */

static struct tdp_display display;
static bool sticks;

static void start_display(const unsigned long *number)
{
    sticks = false;
    tdp_display_start(&display, &host_identity, (enum tdp_cause)number[0]);
}

static void start_values(const unsigned long *number)
{
    sticks = false;
    tdp_values_start(&display, &host_identity, (enum tdp_cause)number[0]);
}

static void set_display(void)
{
    if (!sticks) {
        display.shown = display.wants;
    }
}

static void do_stick(const unsigned long *number)
{
    sticks = number[0] == 1;
    tdp_display_looked(&display);
}

static void do_faulted(const unsigned long *number)
{
    tdp_display_failed(&display, (uint8_t)number[0]);
}

static unsigned nothing_wanted(void)
{
    return 0;
}

static const struct host_verb DISPLAY_VERBS[] = {{"stick", do_stick}, {"faulted", do_faulted}};

/* ---- slots */

static struct tdp_slots slots;
static unsigned taken;       /* by the last collection */
static uint16_t collections; /* with it */

static void start_slots(const unsigned long *number)
{
    tdp_slots_start(&slots, &host_identity, (enum tdp_cause)number[0], (uint16_t)number[1], (uint16_t)number[2]);
}

static void set_slots(void)
{
    const uint16_t made = slots.link.kept.jams;
    if (slots.taking != 0) {
        taken = slots.taking;
        collections = (uint16_t)(made + 1u);
        slots.chips = (uint16_t)(slots.chips & ~slots.taking);
    } else if (made != collections) {
        taken = 0;
        collections = made;
    }
}

static void do_see(const unsigned long *number)
{
    tdp_slots_sense(&slots, (uint16_t)number[0], (uint16_t)number[1]);
}

static unsigned slots_taken(void)
{
    return taken;
}

static const struct host_verb SLOTS_VERBS[] = {{"see", do_see}};

/* ---- all */

#define VERBS_OF(verbs) verbs, sizeof verbs / sizeof verbs[0]

static const struct host_kind KINDS[] = {
    {"shuffler", 1, &shuffler.link, start_shuffler, shuffler_wants, NULL, VERBS_OF(SHUFFLER_VERBS)},
    {"shoe", 2, &shoe.link, start_shoe, shoe_wants, NULL, VERBS_OF(SHOE_VERBS)},
    {"display", 3, &display.link, start_display, nothing_wanted, set_display, VERBS_OF(DISPLAY_VERBS)},
    {"value-display", 4, &display.link, start_values, nothing_wanted, set_display, VERBS_OF(DISPLAY_VERBS)},
    {"slots", 5, &slots.link, start_slots, slots_taken, set_slots, VERBS_OF(SLOTS_VERBS)},
};

const struct host_kind *host_kind_of(const char *word)
{
    for (size_t index = 0; index < sizeof KINDS / sizeof KINDS[0]; index++) {
        if (strcmp(word, KINDS[index].word) == 0) {
            return &KINDS[index];
        }
    }
    return NULL;
}
