"""PROTOCOL.md is the specification: its frames, tables, numbers and kinds are those of the code."""

import re
from pathlib import Path

import pytest
from golden_frames import GOLDEN
from golden_proofs import PROOFS
from protocol_tables import field_table, tables_of

import firmware_protocols.tdp
from controller.devices.device_kinds import TDP_KINDS
from firmware_protocols import framing
from firmware_protocols.tdp import link
from firmware_protocols.tdp.conform.bench import kind_name
from firmware_protocols.tdp.link import FROM_DEVICE, FrameKind
from firmware_protocols.tdp.link_rows import LINK_ROWS
from firmware_protocols.tdp.schema import SECTION_OF, DeviceKind
from tests.protocols.lint import AnyMessage, AnySchema

TEXT = (Path(firmware_protocols.tdp.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
FRAMES = re.findall(r"```frame (\S+)\n(.*?)```", TEXT, re.DOTALL)
AMOUNTS = re.findall(r"^\| ([A-Z_]+) \| ([0-9.]+) \|", TEXT, re.MULTILINE)


def _told(where: str, lacking: list[str]) -> str:
    """The sentence that asks for these tables in a part of PROTOCOL.md."""
    return "\n\n".join([f"{where} of PROTOCOL.md lacks what follows, or has it otherwise:", *lacking])


def test_every_golden_frame_is_in_the_text_and_no_other() -> None:
    golden = {name: one.frame for name, one in GOLDEN.items()} | PROOFS
    assert {name: bytes.fromhex(text) for name, text in FRAMES} == golden


def test_the_worked_example_is_the_golden_frame() -> None:
    [worked] = re.findall(r"after COBS {6}((?:[0-9A-F]{2} ?)+)", TEXT)
    assert bytes.fromhex(worked) + b"\0" == GOLDEN["ack"].frame


@pytest.mark.parametrize("schema", [kind.schema for kind in TDP_KINDS.values()], ids=lambda schema: schema.kind.name)
def test_every_table_of_a_device_is_in_the_text(schema: AnySchema) -> None:
    lacking = [table for table in tables_of(schema) if table not in TEXT]
    assert not lacking, _told(f"section {SECTION_OF[schema.kind]}", lacking)


@pytest.mark.parametrize("row", LINK_ROWS, ids=lambda row: row.name)
def test_every_payload_of_the_link_is_in_the_text(row: AnyMessage) -> None:
    lacking = [table for table in (field_table(row),) if table not in TEXT]
    assert not lacking, _told(f"the section on {row.name}", lacking)


def test_times_and_amounts_are_those_of_the_code() -> None:
    in_text = {name: float(value) for name, value in AMOUNTS}
    assert in_text.pop("MAX_BODY") == framing.MAX_BODY
    in_code = {
        name: float(value)
        for name, value in vars(link).items()
        if name.endswith("_S") or name in ("COMMAND_TRIES", "EVENT_WINDOW", "EVENTS_KEPT", "EVENTS_LOCK")
    }
    assert in_text == in_code


def test_the_kinds_are_those_of_the_code() -> None:
    in_text = re.findall(r"^\| 0x([0-9A-F]{2}) \| ([A-Z_]+) \| (host|device) \|", TEXT, re.MULTILINE)
    assert [(int(kind, 16), name, side) for kind, name, side in in_text] == [
        (kind, kind.name, "device" if kind & FROM_DEVICE else "host") for kind in FrameKind
    ]


def test_a_statement_may_name_each_kind_of_the_code() -> None:
    [in_text] = re.findall(r'^kind = "shoe" +# (.+)$', TEXT, re.MULTILINE)
    assert in_text.split(", ") == [kind_name(kind) for kind in DeviceKind]


@pytest.mark.parametrize("kind", DeviceKind, ids=lambda kind: kind.name)
def test_the_contents_have_the_section_of_each_kind(kind: DeviceKind) -> None:
    assert re.search(rf"\[{SECTION_OF[kind]} [^\]]+\]\(#{SECTION_OF[kind]}-", TEXT)


def test_the_text_names_the_version() -> None:
    assert f"version {link.PROTOCOL_MAJOR}.{link.PROTOCOL_MINOR}\n" in TEXT


def test_the_links_of_the_contents_lead_somewhere() -> None:
    places = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in TEXT.splitlines()
        if line.startswith("## ")
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) == places
