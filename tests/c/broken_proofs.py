"""Broken copies of the C core, each in one duty of pairing: a text of the core, and the text that replaces it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final


@dataclass(frozen=True)
class Broken:
    """One broken copy. `follows`: the numbers that break with it; `more`: other places (file, old and new text)."""

    number: str
    kind: str
    file: str
    old: str
    new: str
    follows: str = ""
    more: tuple[tuple[str, str, str], ...] = ()

    def write(self, core: Path, folder: Path) -> None:
        """Copies the core into a folder and breaks the copy there."""
        for path in core.glob("*.[ch]"):
            (folder / path.name).write_text(path.read_text())
        for file, old, new in ((self.file, self.old, self.new), *self.more):
            text = (folder / file).read_text()
            assert text.count(old) == 1
            (folder / file).write_text(text.replace(old, new))


RAW = "tdp_is_tagged(link, NULL, TDP_HEADER + length)"
OF_SESSION = "!tdp_is_tagged(link, tdp_session_key(link), TDP_HEADER + length)"
NOT_PROVEN = "tdp_send_rarely(link, NOT_PROVEN, opening, NULL);"
ANSWER = "tdp_send(link, put_status(link, at), tdp_session_key(link));"
COPY = "tdp_drop(link, TDP_DROP_COPY); /* [18.8] */"
COVERED = "at[-1] ^= link->identity->pairing->pad(link, number);"
RECALLED = "tdp_recall(link, TDP_KEY_AT, &kept, sizeof kept);\n    use"
STORED = (
    "    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept); /* [18.19] */\n"
    "    tdp_store(link, TDP_KEY_AT, &kept, sizeof kept);\n"
)
LATE = STORED.replace("&kept", "&link->late").replace("sizeof kept", "sizeof link->late")
NONCE = "memcpy(link->nonces, host_nonce, TDP_NONCE);"

BROKEN: Final[dict[str, Broken]] = {
    "opens a session for anybody": Broken("18.1", "shoe", "tdp_pair.c", f"link->pairing && {RAW}", RAW),
    "says nothing to a stranger": Broken("18.1", "display", "tdp_pair.c", NOT_PROVEN, ""),
    "denies each HELLO": Broken(
        "18.2", "shoe", "tdp_pair.c", NOT_PROVEN, f"link->said_no_session = false; {NOT_PROVEN}"
    ),
    "answers without a tag": Broken(
        "18.3", "shoe", "tdp_say.c", ANSWER, ANSWER.replace("tdp_session_key(link)", "NULL")
    ),
    "one nonce for a boot": Broken(
        "18.4",
        "shoe",
        "tdp_pair.c",
        "make_nonce(link, link->nonces + TDP_NONCE);",
        "memset(link->nonces + TDP_NONCE, 5, TDP_NONCE);",
    ),
    "a nonce for each HELLO": Broken(
        "18.5",
        "shoe",
        "tdp_pair.c",
        "tdp_welcome(link); /* [18.5] */",
        "make_session_key(link, nonce); tdp_welcome(link);",
    ),
    "looks at no tag": Broken("18.6", "display", "tdp.c", OF_SESSION, "false", "6.6"),
    "takes the tag of the pair": Broken(
        "18.6",
        "shoe",
        "tdp.c",
        OF_SESSION,
        f"{OF_SESSION} && !tdp_is_tagged(link, tdp_pair_key(link), TDP_HEADER + length)",
        "6.6",
    ),
    "a COMMAND again is life": Broken(
        "18.7", "shoe", "tdp.c", "    tdp_send_answer(link);", "    tdp_hear(link);\n    tdp_send_answer(link);"
    ),
    "any ACK is life": Broken(
        "18.7",
        "display",
        "tdp.c",
        "} else if (number >= link->oldest) {",
        "} else if (tdp_hear(link), number >= link->oldest) {",
    ),
    "a HEARTBEAT again is life": Broken("18.7", "shuffler", "tdp.c", COPY, f"{COPY} tdp_hear(link);"),
    "answers a HEARTBEAT again": Broken("18.8", "shoe", "tdp.c", COPY, "tdp_send_heartbeat_reply(link, number);"),
    "a HELLO is life": Broken(
        "18.9",
        "shoe",
        "tdp_pair.c",
        "tdp_open_session(link, opening, true);",
        "tdp_open_session(link, opening, true); tdp_hear(link);",
    ),
    "denies without a tag": Broken("18.10", "shoe", "tdp.c", "tdp_pair_key(link)); /* [4.13] [18.10] */", "NULL);"),
    "tells the face": Broken("18.11", "shoe", "tdp_say.c", COVERED, "", "3.4? 6.4?"),
    "covers each time anew": Broken(
        "18.12", "shoe", "tdp_say.c", COVERED, COVERED.replace("number", "number + link->sent_ms"), "3.4? 6.4?"
    ),
    "takes a key at any time": Broken("18.13", "shoe", "tdp_pair.c", "!link->pairing", "false"),
    "the switch stays on": Broken(
        "18.13", "display", "tdp.h", "TDP_PAIRING_MS = 60000", "TDP_PAIRING_MS = 90000", "9.23"
    ),
    "permits with the switch on": Broken(
        "18.14", "shoe", "tdp.c", "link->silent || link->pairing ||", "link->silent ||"
    ),
    "answers PAIR once": Broken("18.15", "shoe", "tdp_pair.c", "if (is_again(link, length))", "if (false)"),
    "PAIRED has no tag": Broken(
        "18.15", "display", "tdp_pair.c", "tdp_pair_key(link)); /* [18.15] [18.16] */", "NULL);"
    ),
    "zeros are a key": Broken(
        "18.16",
        "shoe",
        "tdp_pair.c",
        "    link->took_key = true;",
        "    link->took_key = link->paired = true;",
        "2.8 4.1",
    ),
    "is never unpaired": Broken(
        "18.16",
        "display",
        "tdp_pair.c",
        "} else if (!link->pairing) {",
        "} else if (!link->pairing || link->in[TDP_HEADER + 1] == 0) {",
        "2.8 4.1",
    ),
    "forgets its key at a start": Broken("18.17", "shoe", "tdp_pair.c", RECALLED, "use"),
    "keeps no key": Broken(
        "18.17",
        "display",
        "tdp_pair.c",
        "tdp_store(link, TDP_KEY_AT, &kept, sizeof kept); /* [18.19] */",
        "kept.secret[0] ^= 1;",
        "2.8 4.1 18.10",
    ),
    "a key in a proven session": Broken(
        "18.6", "shoe", "tdp_pair.c", "link->proven || !tdp_is_tagged(link, NULL", "!tdp_is_tagged(link, NULL", "18.15"
    ),
    "a tag of seven bytes": Broken(
        "18.6",
        "shoe",
        "tdp.c",
        "link->in + length, sizeof tag);",
        "link->in + length, key == &link->session ? 7u : sizeof tag);",
    ),
    "a pad counted from the other end": Broken(
        "18.11",
        "shoe",
        "tdp_pair.c",
        "tdp_put32(input + 2, number);",
        "for (unsigned at = 0; at < 4; at++) { input[5 - at] = (uint8_t)(number >> 8 * at); }",
        "3.4? 6.4?",
    ),
    "the switch stays on behind a key": Broken(
        "18.13",
        "shoe",
        "tdp_pair.c",
        "    link->pairing = false;\n    end_session(link);\n    link->took_key",
        "    end_session(link);\n    link->took_key",
        "9.23 11.3 18.1",
    ),
    "stores its key with its first session": Broken(
        "18.19",
        "shoe",
        "tdp_pair.c",
        f"{STORED}    use(link, secret);",
        "    use(link, secret);\n    link->late = kept;\n    link->is_late = link->paired;\n"
        f"    if (!link->is_late) {{\n{STORED}    }}",
        more=(
            ("tdp_pair.c", NONCE, f"if (link->is_late) {{\n{LATE}    }}\n    {NONCE}"),
            ("tdp.h", "    bool took_key;", "    struct tdp_kept_key late;\n    bool is_late;\n    bool took_key;"),
        ),
    ),
    "a HELLO without room for its nonce is denied": Broken(
        "18.1",
        "shoe",
        "tdp_pair.c",
        "if (length != TDP_HELLO_PAYLOAD + TDP_NONCE) {",
        f"if (length != TDP_HELLO_PAYLOAD + TDP_NONCE) {{\n        {NOT_PROVEN}",
    ),
    "a heartbeat of no value is life": Broken(
        "18.7",
        "shoe",
        "tdp.c",
        "if (length != HEARTBEAT_PAYLOAD || not_yet_durable > 1) {",
        "if (length != HEARTBEAT_PAYLOAD || not_yet_durable > 1) {\n        tdp_hear(link);",
    ),
    "half a key of zeros is none": Broken(
        "18.16",
        "value-display",
        "tdp_pair.c",
        "    link->paired = !tdp_same(secret, none, sizeof none);",
        "    link->paired = !tdp_same(secret, none, sizeof none / 2);",
    ),
    "a PAIR with more behind its key is taken": Broken(
        "3.2",
        "shoe",
        "tdp_pair.c",
        "    if (length != PAIR_BODY) {\n        tdp_drop(link, TDP_DROP_PAYLOAD);",
        "    if (length < PAIR_BODY) {\n        tdp_drop(link, TDP_DROP_PAYLOAD);",
    ),
    "a pad has the low byte of its number": Broken(
        "18.11",
        "shoe",
        "tdp_pair.c",
        "    tdp_put32(input + 2, number);",
        "    tdp_put32(input + 2, number & 0xFFu);",
        "3.4? 6.4?",
    ),
    "a HELLO comes again with half its nonce": Broken(
        "18.5",
        "slots",
        "tdp_pair.c",
        "tdp_same(nonce, link->nonces, TDP_NONCE)) {",
        "tdp_same(nonce, link->nonces, TDP_NONCE / 2)) {",
    ),
}
