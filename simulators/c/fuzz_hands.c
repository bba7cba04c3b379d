/* What affects a device in fuzz.c: a start, sensors, cards, a panel. */
#include "fuzz.h"

static struct tdp_sensors sensors_of(uint8_t bits)
{
    const struct tdp_sensors sensors = {
        .lid_open = bits & 1u, .hopper_loaded = (bits >> 1) & 1u, .path_blocked = (bits >> 2) & 1u,
        .mouth_open = (bits >> 3) & 1u,
    };
    return sensors;
}

void fuzz_start(void)
{
    const uint8_t how = fuzz_next();
    const struct tdp_sensors sensors = sensors_of(how & 15u);
    fuzz.unreadable = how == 200;
    fuzz.places[how & 3u][0] ^= (how >> 6) & 1u;
    fuzz.places[(how & 3u) ^ 1u][0] ^= (how >> 7) & 1u;
    fuzz.sticks = false;
    switch (fuzz.kind_of_device) {
    case SHUFFLER:
        tdp_shuffler_start(&fuzz.device.shuffler, &fuzz.identity, TDP_POWER_ON, &sensors, (enum tdp_proof)((how >> 4) % 3u));
        break;
    case SHOE:
        tdp_shoe_start(&fuzz.device.shoe, &fuzz.identity, TDP_WATCHDOG, (how & 1u) != 0);
        break;
    case DISPLAY:
        tdp_display_start(&fuzz.device.display, &fuzz.identity, TDP_POWER_ON);
        break;
    case SLOTS:
        tdp_slots_start(&fuzz.device.slots, &fuzz.identity, TDP_COMMANDED, how, how >> 4);
        break;
    default:
        tdp_values_start(&fuzz.device.display, &fuzz.identity, TDP_POWER_ON);
    }
}

static void flutter(unsigned times)
{
    for (unsigned time = 0; time <= times; time++) {
        tdp_shuffler_retried(&fuzz.device.shuffler, TDP_AT_FEED, 1);
    }
}

static void touch_shuffler(uint8_t deed)
{
    const struct tdp_sensors sensors = sensors_of(deed >> 4);
    switch (deed & 7u) {
    case 0:
        tdp_shuffler_sense(&fuzz.device.shuffler, &sensors);
        break;
    case 1:
        tdp_shuffler_card_in(&fuzz.device.shuffler);
        break;
    case 2:
        tdp_shuffler_card_out(&fuzz.device.shuffler);
        break;
    case 3:
        tdp_shuffler_jammed(&fuzz.device.shuffler, TDP_AT_MOUTH, fuzz_next());
        break;
    case 4:
        flutter(4u * (deed >> 4));
        break;
    case 5:
        tdp_shuffler_recounted(&fuzz.device.shuffler, fuzz_next() < 32 ? TDP_INSIDE_UNKNOWN : fuzz_next());
        break;
    case 6:
        tdp_shuffler_begin(&fuzz.device.shuffler, (enum tdp_work)(1u << (deed >> 6)));
        break;
    default:
        tdp_shuffler_end(&fuzz.device.shuffler);
    }
}

static void touch_shoe(uint8_t deed)
{
    switch (deed & 3u) {
    case 0:
        tdp_shoe_failed(&fuzz.device.shoe, fuzz_next());
        break;
    case 1:
        tdp_shoe_mended(&fuzz.device.shoe);
        break;
    default:
        for (unsigned time = 0; time <= deed >> 3; time++) {
            tdp_shoe_passed(&fuzz.device.shoe, fuzz_next());
        }
    }
}

static void touch_display(uint8_t deed)
{
    if ((deed & 3u) == 0) {
        for (unsigned time = 0; time <= deed >> 2; time++) {
            tdp_display_failed(&fuzz.device.display, 1);
        }
    } else {
        fuzz.sticks = (deed & 3u) == 1;
        tdp_display_looked(&fuzz.device.display);
    }
}

void fuzz_touch(uint8_t deed)
{
    if (fuzz.kind_of_device == SHUFFLER) {
        touch_shuffler(deed);
    } else if (fuzz.kind_of_device == SHOE) {
        touch_shoe(deed);
    } else if (fuzz.kind_of_device == SLOTS) {
        for (unsigned time = 0; time <= deed >> 2; time++) {
            tdp_slots_sense(&fuzz.device.slots, fuzz_next() & 3u, deed & 2u);
        }
    } else {
        touch_display(deed);
    }
}
