#include "tdp_shuffler.h"

enum event {
    STARTED = 0x01,
    CARD_IN = 0x02,
    CARD_OUT = 0x03,
    JAMMED = 0x04,
    PATH_CLEARED = 0x05,
    JAM_ENDED = 0x06,
    CARD_RETRIED = 0x07,
    LID_OPENED = 0x08,
    LID_CLOSED = 0x09,
    RECOUNTED = 0x0A
};

enum { APPLY = 0x01, QUERY = 0x02, APPLY_LENGTH = 12, STATUS_LENGTH = 20 };

/* Each link of this file is the first member of a shuffler. */
static struct tdp_shuffler *of(struct tdp_link *link)
{
    return (struct tdp_shuffler *)link;
}

static bool is_kept(const struct tdp_shuffler *shuffler, unsigned flag)
{
    return (shuffler->link.kept.flags & flag) != 0;
}

static void set_kept(struct tdp_shuffler *shuffler, unsigned flag, bool value)
{
    const unsigned without = shuffler->link.kept.flags & ~flag;
    shuffler->link.kept.flags = (uint8_t)(value ? without | flag : without);
}

static bool is_lamp_lit(const struct tdp_shuffler *shuffler)
{
    return is_kept(shuffler, TDP_KEPT_LAMP | TDP_KEPT_JAMMED);
}

static bool is_owed(const struct tdp_shuffler *shuffler)
{
    return tdp_newer32(shuffler->release_until, shuffler->link.kept.count_out); /* [10.17] */
}

static void work_out(struct tdp_shuffler *shuffler)
{
    unsigned work = 0;
    work |= shuffler->recounts ? TDP_RECOUNT : 0u;
    work |= shuffler->unloading ? TDP_UNLOAD : 0u;
    work |= shuffler->feed_open ? TDP_FEED : 0u;
    work |= is_owed(shuffler) ? TDP_RELEASE : 0u;
    shuffler->wants.work = (uint8_t)work;
    shuffler->wants.lamp = is_lamp_lit(shuffler);
    if ((work & TDP_RELEASE) == 0) {
        shuffler->seen.mouth_open = false; /* tdp_port_set shuts it */
    }
}

/* ---- what it says */

static uint16_t flags_of(const struct tdp_shuffler *shuffler)
{
    const bool bits[] = {
        shuffler->feed_open,
        shuffler->seen.mouth_open,
        shuffler->unloading,
        is_kept(shuffler, TDP_KEPT_JAMMED),
        shuffler->seen.lid_open,
        is_lamp_lit(shuffler),
        tdp_must_lock(&shuffler->link),
        is_kept(shuffler, TDP_KEPT_UNKNOWN),
        shuffler->seen.hopper_loaded,
        shuffler->seen.path_blocked,
    };
    unsigned flags = 0;
    for (size_t bit = 0; bit < sizeof bits; bit++) {
        flags |= (bits[bit] ? 1u : 0u) << bit;
    }
    return (uint16_t)flags;
}

static uint16_t inside_of(const struct tdp_shuffler *shuffler)
{
    if (is_kept(shuffler, TDP_KEPT_INSIDE_UNKNOWN)) {
        return TDP_INSIDE_UNKNOWN;
    }
    return shuffler->link.kept.inside > 0 ? (uint16_t)shuffler->link.kept.inside : 0;
}

static void status(const struct tdp_link *link, uint8_t *block)
{
    const struct tdp_shuffler *shuffler = (const struct tdp_shuffler *)link;
    block = tdp_put32(block, link->kept.count_in);
    block = tdp_put32(block, link->kept.count_out);
    block = tdp_put16(block, inside_of(shuffler));
    block = tdp_put32(block, shuffler->release_until);
    block = tdp_put16(block, link->kept.jams);
    block = tdp_put16(block, link->kept.recounts);
    tdp_put16(block, flags_of(shuffler));
}

static void post(struct tdp_shuffler *shuffler, enum event id)
{
    tdp_post(&shuffler->link, (uint8_t)id, NULL, 0);
}

static void post_two(struct tdp_shuffler *shuffler, enum event id, uint8_t first, uint8_t second)
{
    const uint8_t fields[2] = {first, second};
    tdp_post(&shuffler->link, (uint8_t)id, fields, sizeof fields);
}

/* ---- what it obeys */

static void withdraw(struct tdp_link *link)
{
    struct tdp_shuffler *shuffler = of(link);
    shuffler->release_until = link->kept.count_out;
    shuffler->feed_open = false;
    shuffler->unloading = false;
    shuffler->recounts = false; /* [9.20] */
    work_out(shuffler);
}

struct apply {
    uint32_t release_until;
    bool feed_open;
    bool unload;
    bool lamp;
    uint16_t jams_ended;
    uint16_t recount_request;
};

static bool read_apply(const uint8_t *payload, size_t length, struct apply *wanted)
{
    if (length != APPLY_LENGTH || payload[5] > 1 || payload[6] > 1 || payload[7] > 1) {
        return false;
    }
    wanted->release_until = tdp_get32(payload + 1);
    wanted->feed_open = payload[5] == 1;
    wanted->unload = payload[6] == 1;
    wanted->lamp = payload[7] == 1;
    wanted->jams_ended = tdp_get16(payload + 8);
    wanted->recount_request = tdp_get16(payload + 10);
    return true;
}

/* The people's word about the latched jam: the latch is released, or the answer says why not. */
static enum tdp_result end_jam(struct tdp_shuffler *shuffler, const struct apply *wanted)
{
    const uint16_t jams = shuffler->link.kept.jams;
    const bool is_meant = (uint16_t)(wanted->jams_ended - jams) < 0x8000u; /* its number or a newer one */
    if (!is_kept(shuffler, TDP_KEPT_JAMMED) || !is_meant) {
        return TDP_OK; /* [10.7] */
    }
    if (shuffler->seen.path_blocked) {
        return TDP_REFUSED_PATH_BLOCKED;
    }
    if (shuffler->seen.lid_open) {
        return TDP_REFUSED_LID_OPEN;
    }
    set_kept(shuffler, TDP_KEPT_JAMMED, false);
    post(shuffler, JAM_ENDED);
    return TDP_OK;
}

static enum tdp_result refusal_to_move(const struct tdp_shuffler *shuffler, const struct apply *wanted)
{
    const bool lets_go = tdp_newer32(wanted->release_until, shuffler->link.kept.count_out);
    const bool counts = wanted->recount_request != shuffler->link.kept.recounts;
    if (!lets_go && !counts && !wanted->feed_open && !wanted->unload) {
        return TDP_OK;
    }
    if (is_kept(shuffler, TDP_KEPT_JAMMED)) {
        return TDP_REFUSED_JAMMED;
    }
    if (shuffler->seen.lid_open) {
        return TDP_REFUSED_LID_OPEN;
    }
    if (tdp_must_lock(&shuffler->link)) {
        return TDP_REFUSED_HOST_SILENT;
    }
    return lets_go && is_kept(shuffler, TDP_KEPT_UNKNOWN) ? TDP_REFUSED_COUNTS_UNKNOWN : TDP_OK;
}

static void take_over(struct tdp_shuffler *shuffler, const struct apply *wanted)
{
    shuffler->release_until = wanted->release_until;
    shuffler->feed_open = wanted->feed_open;
    shuffler->unloading = wanted->unload;
    shuffler->recount_request = wanted->recount_request;
    shuffler->recounts = wanted->recount_request != shuffler->link.kept.recounts; /* [10.23] */
    work_out(shuffler);
}

/* Of a refused wish the part that locks. */
static void refuse(struct tdp_shuffler *shuffler, const struct apply *wanted)
{
    withdraw(&shuffler->link); /* [9.22] */
    if (!tdp_newer32(wanted->release_until, shuffler->link.kept.count_out)) {
        shuffler->release_until = wanted->release_until; /* [10.25] */
    }
    work_out(shuffler);
}

static enum tdp_result apply(struct tdp_shuffler *shuffler, const struct apply *wanted)
{
    const uint8_t flags = shuffler->link.kept.flags;
    set_kept(shuffler, TDP_KEPT_LAMP, wanted->lamp);
    enum tdp_result result = end_jam(shuffler, wanted);
    if (flags != shuffler->link.kept.flags) {
        tdp_keep(&shuffler->link); /* [9.19] */
    }
    if (result == TDP_OK) {
        result = refusal_to_move(shuffler, wanted);
    }
    if (result == TDP_OK) {
        take_over(shuffler, wanted);
    } else {
        refuse(shuffler, wanted);
    }
    return result;
}

static uint8_t command(struct tdp_link *link, const uint8_t *payload, size_t length)
{
    struct apply wanted;
    if (length == 1 && payload[0] == QUERY) {
        return TDP_OK;
    }
    if (length < 1 || payload[0] != APPLY || !read_apply(payload, length, &wanted)) {
        return TDP_BAD_COMMAND;
    }
    return (uint8_t)apply(of(link), &wanted);
}

static const struct tdp_kind SHUFFLER = {1, STATUS_LENGTH, status, command, withdraw, 0};

/* ---- what its mechanism tells */

/* Numbers begin anew; a jam that is latched still is the first of the new ones [9.7]. */
static void forget(struct tdp_shuffler *shuffler)
{
    struct tdp_kept *kept = &shuffler->link.kept;
    kept->count_in = 0;
    kept->count_out = 0;
    kept->recounts = 0;
    kept->jams = is_kept(shuffler, TDP_KEPT_JAMMED) ? 1 : 0;
    set_kept(shuffler, TDP_KEPT_UNKNOWN | TDP_KEPT_INSIDE_UNKNOWN, true);
}

static void count_in(struct tdp_kept *kept)
{
    kept->count_in++;
    kept->inside++;
}

static void count_out(struct tdp_kept *kept)
{
    kept->count_out++;
    kept->inside--;
}

static void end_motion_of_last_boot(struct tdp_shuffler *shuffler, enum tdp_proof proof)
{
    struct tdp_kept *kept = &shuffler->link.kept;
    const unsigned motion = kept->motion;
    kept->motion = 0;
    if (motion == 0 || motion == TDP_RECOUNT || proof == TDP_NOT_PASSED) {
        return;
    }
    if (proof == TDP_UNPROVEN) {
        forget(shuffler);
    } else if (motion == TDP_FEED) {
        count_in(kept); /* [9.6] */
    } else {
        count_out(kept);
    }
}

void tdp_shuffler_start(struct tdp_shuffler *shuffler, const struct tdp_identity *identity, enum tdp_cause cause,
                        const struct tdp_sensors *sensors, enum tdp_proof proof)
{
    if (tdp_begin(&shuffler->link, &SHUFFLER, identity)) {
        end_motion_of_last_boot(shuffler, proof);
    } else {
        forget(shuffler); /* [9.4] */
    }
    shuffler->seen = *sensors;
    withdraw(&shuffler->link);
    tdp_keep(&shuffler->link);
    const uint8_t field = (uint8_t)cause;
    tdp_post(&shuffler->link, STARTED, &field, 1);
    tdp_settle(&shuffler->link);
}

void tdp_shuffler_sense(struct tdp_shuffler *shuffler, const struct tdp_sensors *sensors)
{
    const struct tdp_sensors before = shuffler->seen;
    shuffler->seen = *sensors;
    work_out(shuffler);
    if (sensors->lid_open && !before.lid_open) {
        withdraw(&shuffler->link); /* [9.15] */
        post(shuffler, LID_OPENED);
    } else if (before.lid_open && !sensors->lid_open) {
        post(shuffler, LID_CLOSED);
    }
    if (before.path_blocked && !sensors->path_blocked) {
        post(shuffler, PATH_CLEARED); /* [10.31] */
    }
    tdp_settle(&shuffler->link);
}

static void set_motion(struct tdp_shuffler *shuffler, unsigned motion)
{
    if (shuffler->link.kept.motion != motion) {
        shuffler->link.kept.motion = (uint8_t)motion;
        tdp_keep(&shuffler->link);
    }
}

bool tdp_shuffler_begin(struct tdp_shuffler *shuffler, enum tdp_work work)
{
    if ((shuffler->wants.work & (unsigned)work) == 0) {
        return false;
    }
    set_motion(shuffler, work);
    return true;
}

void tdp_shuffler_end(struct tdp_shuffler *shuffler)
{
    set_motion(shuffler, 0);
}

static void passed(struct tdp_shuffler *shuffler, enum event id)
{
    shuffler->link.kept.motion = 0;
    tdp_keep(&shuffler->link); /* the count before its event [9.5] */
    work_out(shuffler);
    post(shuffler, id);
    tdp_settle(&shuffler->link);
}

void tdp_shuffler_card_in(struct tdp_shuffler *shuffler)
{
    count_in(&shuffler->link.kept);
    passed(shuffler, CARD_IN);
}

void tdp_shuffler_card_out(struct tdp_shuffler *shuffler)
{
    shuffler->seen.mouth_open = false; /* it closes, and looks again [10.16] */
    count_out(&shuffler->link.kept);
    passed(shuffler, CARD_OUT);
}

void tdp_shuffler_retried(struct tdp_shuffler *shuffler, enum tdp_place place, uint8_t tries)
{
    post_two(shuffler, CARD_RETRIED, (uint8_t)place, tries);
    tdp_settle(&shuffler->link);
}

void tdp_shuffler_jammed(struct tdp_shuffler *shuffler, enum tdp_place place, uint8_t cards)
{
    shuffler->link.kept.jams++;
    shuffler->link.kept.motion = 0;
    set_kept(shuffler, TDP_KEPT_JAMMED, true);
    shuffler->seen.path_blocked = true;
    withdraw(&shuffler->link);
    tdp_port_set(&shuffler->link); /* motors and lamp before the memory, which may be slow */
    tdp_keep(&shuffler->link);
    post_two(shuffler, JAMMED, (uint8_t)place, cards); /* [10.27] */
    tdp_settle(&shuffler->link);
}

void tdp_shuffler_recounted(struct tdp_shuffler *shuffler, uint16_t inside)
{
    if (!shuffler->recounts) {
        return; /* taken back meanwhile */
    }
    struct tdp_kept *kept = &shuffler->link.kept;
    const uint16_t request = shuffler->recount_request;
    const bool failed = inside == TDP_INSIDE_UNKNOWN;
    shuffler->recounts = false;
    kept->recounts = request;
    kept->motion = 0;
    kept->inside = inside;
    set_kept(shuffler, TDP_KEPT_INSIDE_UNKNOWN, failed);
    set_kept(shuffler, TDP_KEPT_UNKNOWN, failed && is_kept(shuffler, TDP_KEPT_UNKNOWN));
    tdp_keep(&shuffler->link);
    work_out(shuffler);
    uint8_t fields[4];
    tdp_put16(tdp_put16(fields, request), inside);
    tdp_post(&shuffler->link, RECOUNTED, fields, sizeof fields); /* [10.20] */
    tdp_settle(&shuffler->link);
}
