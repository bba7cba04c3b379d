"""Broken copies of the C core, each in one duty that does not concern pairing: a text of the core, and the text that
replaces it.
"""

from typing import Final

from tests.c.broken_proofs import Broken

OURS = "opening == link->opening && tdp_get32(link->in + 5) == link->kept.boot"
RING = "&link->events[number % TDP_EVENTS_KEPT];"
RING_OF_63 = "&link->events[number % (TDP_EVENTS_KEPT - 1)];"
WELCOME = "tdp_welcome(link); /* [4.3] */"
DROPPED = "tdp_drop(link, TDP_DROP_{});"

BROKEN: Final[dict[str, Broken]] = {
    "a bit of the kind is ignored": Broken(
        "3.2",
        "display",
        "tdp.c",
        "const uint8_t kind = link->in[0];",
        "const uint8_t kind = link->in[0] &= 0xBFu;",
    ),
    "the low half of an opening": Broken(
        "3.7",
        "shoe",
        "tdp.c",
        OURS,
        OURS.replace("opening == link->opening", "(uint16_t)opening == (uint16_t)link->opening"),
        "4.13 5.3 6.6",
    ),
    "the low byte of a boot": Broken(
        "3.7",
        "shoe",
        "tdp.c",
        OURS,
        OURS.replace("tdp_get32(link->in + 5) == ", "link->in[5] == (uint8_t)"),
        "4.13 5.3 6.6",
    ),
    "a HELLO that comes again commits nothing": Broken(
        "4.8",
        "shoe",
        "tdp.c",
        WELCOME,
        "tdp_send_identity(link, link->opening, link->proven);",
        "9.23",
    ),
    "the low half of a committed number": Broken(
        "4.9",
        "slots",
        "tdp.c",
        "const uint32_t number = tdp_get32(payload + 6);",
        "const uint32_t number = tdp_get16(payload + 6);",
        "6.6",
    ),
    "the low byte of a committed boot": Broken(
        "4.9",
        "shoe",
        "tdp.c",
        "tdp_get32(payload + 2) == link->kept.boot",
        "payload[2] == (uint8_t)link->kept.boot",
        "6.6",
    ),
    "a text has something behind its end": Broken(
        "4.12",
        "shoe",
        "tdp_say.c",
        "memcpy(at + TDP_TEXT, who->serial, TDP_TEXT);",
        "memcpy(at + TDP_TEXT, who->serial, TDP_TEXT);\n    at[2 * TDP_TEXT - 1] = 'x';",
        "3.4",
    ),
    "a ring of 63": Broken("6.4", "shoe", "tdp.c", RING, RING_OF_63, "6.3", (("tdp_say.c", RING, RING_OF_63),)),
    "an event that joins puts the retry off": Broken(
        "6.9", "slots", "tdp_say.c", "if (link->unsent == link->oldest) {", "if (link->unsent != link->next_event) {"
    ),
    "the low half of an ACK": Broken(
        "6.13",
        "shoe",
        "tdp.c",
        "take_ack(link, number, length);",
        "take_ack(link, number & 0xFFFFu, length);",
        "6.6",
    ),
    "a damaged frame is life": Broken(
        "7.6", "shoe", "tdp.c", DROPPED.format("CRC"), f"{DROPPED.format('CRC')} tdp_hear(link);", "7.7"
    ),
    "a frame of an unknown kind is life": Broken(
        "7.6", "shoe", "tdp.c", DROPPED.format("KIND"), f"{DROPPED.format('KIND')} tdp_hear(link);", "7.7"
    ),
    "silent too soon": Broken("7.6", "shoe", "tdp.h", "TDP_SILENT_AFTER_MS = 2000", "TDP_SILENT_AFTER_MS = 1700"),
    "silent too late": Broken("7.6", "shoe", "tdp.h", "TDP_SILENT_AFTER_MS = 2000", "TDP_SILENT_AFTER_MS = 2250"),
    "a boot is stored with its first session": Broken(
        "9.1",
        "shoe",
        "tdp_shoe.c",
        "    shoe->error = 0;\n    tdp_keep(&shoe->link);",
        "    shoe->error = 0;",
        more=(("tdp.c", "    link->last_command = 0;", "    link->last_command = 0;\n    tdp_keep(link);"),),
    ),
    "a session releases until nothing": Broken(
        "9.11",
        "shuffler",
        "tdp_shuffler.c",
        "shuffler->release_until = link->kept.count_out;",
        "const bool opens = link->has_session && !link->silent && link->in[0] == 1;\n"
        "    shuffler->release_until = opens ? 0 : link->kept.count_out;",
        "9.15",
    ),
    "a newer number ends no jam": Broken(
        "10.6",
        "shuffler",
        "tdp_shuffler.c",
        "(uint16_t)(wanted->jams_ended - jams) < 0x8000u;",
        "wanted->jams_ended == jams;",
        "10.4 10.5",  # a newer number is judged by path and lid, too
    ),
    "a refusal forgets the older count": Broken(
        "10.25",
        "shuffler",
        "tdp_shuffler.c",
        "shuffler->release_until = wanted->release_until; /* [10.25] */",
        ";",
    ),
    "the low byte of a collection": Broken(
        "14.5",
        "slots",
        "tdp_slots.c",
        "tdp_get16(payload + 1) == (uint16_t)(link->kept.jams + 1u)",
        "payload[1] == (uint8_t)(link->kept.jams + 1u)",
    ),
    "a HELLO that comes again sends the events again": Broken(
        "4.3", "shoe", "tdp.c", WELCOME, f"link->unsent = link->oldest;\n        {WELCOME}"
    ),
    "a long HELLO of another major is dropped": Broken(
        "4.2", "shoe", "tdp.c", "if (length >= 2 &&", "if (length >= 2 && length < 160 &&"
    ),
    "no command beyond a byte": Broken(
        "5.1",
        "display",
        "tdp.c",
        "if (number == link->last_command + 1) {",
        "if (number == link->last_command + 1 && number < 256) {",
    ),
    "a dropped HELLO is life": Broken(
        "7.6",
        "shoe",
        "tdp.c",
        "tdp_drop(link, TDP_DROP_HELLO); /* [4.7] */",
        "tdp_hear(link);\n        tdp_drop(link, TDP_DROP_HELLO);",
        "4.4",
    ),
    "a host that resumes keeps what it had": Broken(
        "9.11",
        "shoe",
        "tdp.c",
        "link->kind->withdraw(link); /* [9.11] */",
        "if (tdp_get32(link->in + TDP_HEADER + 2) != link->kept.boot) {\n        link->kind->withdraw(link);\n    }",
    ),
    "a lid is said before a jam": Broken(
        "10.11",
        "shuffler",
        "tdp_shuffler.c",
        "        return TDP_REFUSED_JAMMED;",
        "        return shuffler->seen.lid_open ? TDP_REFUSED_LID_OPEN : TDP_REFUSED_JAMMED;",
    ),
    "a lid is said before the path": Broken(
        "10.4",
        "shuffler",
        "tdp_shuffler.c",
        "        return TDP_REFUSED_PATH_BLOCKED;",
        "        return shuffler->seen.lid_open ? TDP_REFUSED_LID_OPEN : TDP_REFUSED_PATH_BLOCKED;",
    ),
    "the end of a jam puts the lamp out": Broken(
        "10.8",
        "shuffler",
        "tdp_shuffler.c",
        "set_kept(shuffler, TDP_KEPT_JAMMED, false);",
        "set_kept(shuffler, TDP_KEPT_JAMMED | TDP_KEPT_LAMP, false);",
    ),
    "the lamps of a collection are not lit": Broken(
        "14.6",
        "slots",
        "tdp_slots.c",
        "slots->lit = tdp_get16(payload + 5);",
        "if (tdp_get16(payload + 1) != (uint16_t)(link->kept.jams + 1u))\n        slots->lit = tdp_get16(payload + 5);",
    ),
    "the IDENTITY is said before the commit is taken": Broken(
        "4.10",
        "shoe",
        "tdp.c",
        "    take_committed(link, link->in + TDP_HEADER);\n    tdp_send_identity(link, link->opening, link->proven);",
        "    tdp_send_identity(link, link->opening, link->proven);\n    take_committed(link, link->in + TDP_HEADER);",
        "4.15",
    ),
    "a new session leaves the retry time": Broken(
        "6.10",
        "display",
        "tdp.c",
        "    link->retry_ms = TDP_EVENT_RETRY_MS;\n    link->unsent = link->oldest;",
        "    link->unsent = link->oldest;",
    ),
    "a recount of number 0 is none": Broken(
        "10.20",
        "shuffler",
        "tdp_shuffler.c",
        "shuffler->recounts = wanted->recount_request != shuffler->link.kept.recounts; /* [10.23] */",
        "shuffler->recounts = wanted->recount_request != 0 &&\n"
        "                         wanted->recount_request != shuffler->link.kept.recounts;",
    ),
    "a fault picture hides the amount of before": Broken(
        "12.5",
        "display",
        "tdp_display.c",
        "        wanted.bytes[AMOUNT_LENGTH] = 1; /* [12.5] */",
        "        if (wanted.bytes[AMOUNT_LENGTH] == 1) {\n"
        "            memcpy(wanted.bytes, ((struct tdp_display *)link)->wants.bytes, AMOUNT_LENGTH);\n        }\n"
        "        wanted.bytes[AMOUNT_LENGTH] = 1;",
    ),
    "a hidden amount comes back with the power": Broken(
        "12.4",
        "display",
        "tdp_display.c",
        "    memset(&display->wants, 0, sizeof display->wants);\n"
        "    memset(&display->shown, 0, sizeof display->shown);",
        "    if (display->wants.bytes[AMOUNT_LENGTH] != 1) {\n"
        "        memset(&display->wants, 0, sizeof display->wants);\n"
        "        memset(&display->shown, 0, sizeof display->shown);\n"
        "    }",
    ),
    "a slow host's silence leaves it unlocked": Broken(
        "9.12",
        "shoe",
        "tdp.c",
        "        link->silent = true; /* [7.6] */\n        link->kind->withdraw(link);",
        "        link->silent = true;\n"
        "        if (link->retry_ms != TDP_EVENT_RETRY_MAX_MS || tdp_waiting(link) > 0) {\n"
        "            link->kind->withdraw(link);\n"
        "        }",
    ),
    "an event has the low half of its boot": Broken(
        "3.6",
        "display",
        "tdp_say.c",
        "    uint8_t *at = tdp_put32(tdp_header(link, EVENT, link->opening, number), link->oldest);",
        "    uint8_t *at = tdp_put32(tdp_header(link, EVENT, link->opening, number), link->oldest);\n"
        "    link->body[7] = link->body[8] = 0;",
    ),
    "a recount that makes the counts known ends the rest": Broken(
        "10.22",
        "shuffler",
        "tdp_shuffler.c",
        "    const bool failed = inside == TDP_INSIDE_UNKNOWN;",
        "    const bool failed = inside == TDP_INSIDE_UNKNOWN;\n"
        "    if (is_kept(shuffler, TDP_KEPT_UNKNOWN)) {\n"
        "        withdraw(&shuffler->link);\n"
        "    }",
    ),
    "a full ring looks empty in newest_event": Broken(
        "3.1",
        "display",
        "tdp_say.c",
        "    at = put_status(link, tdp_put32(at, link->next_event - 1));",
        "    at = put_status(link, tdp_put32(at, link->oldest + tdp_waiting(link) % TDP_EVENTS_KEPT - 1));",
        "4.6 6.6 6.16 9.23",
    ),
    "a card that is cleared under the lid is counted out": Broken(
        "10.34",
        "shuffler",
        "tdp_shuffler.c",
        "        post(shuffler, PATH_CLEARED); /* [10.31] */",
        "        if (sensors->lid_open) {\n"
        "            shuffler->link.kept.inside--;\n"
        "        }\n"
        "        post(shuffler, PATH_CLEARED); /* [10.31] */",
    ),
    "the first command of a session may skip a collection": Broken(
        "14.5",
        "slots",
        "tdp_slots.c",
        "    if (tdp_get16(payload + 1) == (uint16_t)(link->kept.jams + 1u)) {",
        "    if (link->last_command == 1 && tdp_get16(payload + 1) == (uint16_t)(link->kept.jams + 2u)) {\n"
        "        link->kept.jams++;\n"
        "        collect(slots, tdp_get16(payload + 3));\n"
        "    }\n"
        "    if (tdp_get16(payload + 1) == (uint16_t)(link->kept.jams + 1u)) {",
    ),
    "behind the slowest retry an ACK frees one less": Broken(
        "6.12",
        "shoe",
        "tdp.c",
        "    link->oldest = number + 1;\n",
        "    if (link->retry_ms == TDP_EVENT_RETRY_MAX_MS && number > link->oldest) {\n"
        "        number--;\n"
        "    }\n"
        "    link->oldest = number + 1;\n",
        "6.5 9.23",
    ),
    "the time of a NO_SESSION is kept in a byte": Broken(
        "4.13",
        "shoe",
        "tdp_say.c",
        "now - link->no_session_ms < TDP_NO_SESSION_EVERY_MS",
        "(uint8_t)(now - link->no_session_ms) < TDP_NO_SESSION_EVERY_MS",
        "3.5",
    ),
    "a last code that is too great is cut": Broken(
        "2.5",
        "display",
        "tdp_frame.c",
        "        if (code == 0 || from + code - 1 > *length) {\n"
        "            return false;\n"
        "        }\n"
        "        for (size_t count = 1; count < code; count++) {",
        "        if (code == 0) {\n"
        "            return false;\n"
        "        }\n"
        "        for (size_t count = 1; count < code && from < *length; count++) {",
    ),
    "a flood of another session is never answered": Broken(
        "4.13",
        "slots",
        "tdp_say.c",
        "        return; /* [4.14] [18.2] */",
        "        link->no_session_ms = now;\n        return;",
    ),
    "an unknown id is OK at 48 events": Broken(
        "5.6",
        "value-display",
        "tdp_display.c",
        "        return payload[0] == APPLY ? TDP_OK : TDP_BAD_COMMAND; /* [13.5] */",
        "        return TDP_OK;",
    ),
    "the retry stays at 0.8 s": Broken(
        "6.9",
        "slots",
        "tdp.c",
        "        link->retry_ms = doubled < TDP_EVENT_RETRY_MAX_MS ? doubled : TDP_EVENT_RETRY_MAX_MS;",
        "        link->retry_ms = doubled <= TDP_EVENT_RETRY_MAX_MS ? doubled : link->retry_ms;",
    ),
    "a recount alone is made under the lid": Broken(
        "10.12",
        "shuffler",
        "tdp_shuffler.c",
        "    if (shuffler->seen.lid_open) {\n        return TDP_REFUSED_LID_OPEN;\n    }\n    if (tdp_must_lock",
        "    if (shuffler->seen.lid_open && !lets_go && !wanted->feed_open && !wanted->unload) {\n"
        "        return TDP_OK;\n"
        "    }\n"
        "    if (shuffler->seen.lid_open) {\n"
        "        return TDP_REFUSED_LID_OPEN;\n"
        "    }\n"
        "    if (tdp_must_lock",
    ),
    "a lamp of a refused apply is not stored": Broken(
        "9.19",
        "shuffler",
        "tdp_shuffler.c",
        "    if (flags != shuffler->link.kept.flags) {\n"
        "        tdp_keep(&shuffler->link); /* [9.19] */\n"
        "    }\n"
        "    if (result == TDP_OK) {\n"
        "        result = refusal_to_move(shuffler, wanted);\n"
        "    }",
        "    if (result == TDP_OK) {\n"
        "        result = refusal_to_move(shuffler, wanted);\n"
        "    }\n"
        "    if (flags != shuffler->link.kept.flags && result == TDP_OK) {\n"
        "        tdp_keep(&shuffler->link);\n"
        "    }",
    ),
    "a jam leaves the unloading": Broken(
        "9.14",
        "shuffler",
        "tdp_shuffler.c",
        "    withdraw(&shuffler->link);\n"
        "    tdp_port_set(&shuffler->link); /* motors and lamp before the memory, which may be slow */",
        "    const bool unloading = shuffler->unloading;\n"
        "    withdraw(&shuffler->link);\n"
        "    shuffler->unloading = unloading;\n"
        "    tdp_port_set(&shuffler->link);",
        "10.27",
    ),
}
