"""The message tables for PROTOCOL.md, written from the tables in code so that the two cannot differ."""

from typing import Any

from firmware_protocols.tdp.schema import Field, Message, Wire
from tests.protocols.lint import AnySchema

FORMS = {Wire.U8: "u8", Wire.U16: "u16", Wire.U32: "u32", Wire.U64: "u64", Wire.TEXT16: "text[16]"}


def field_table(row: Message[Any]) -> str:
    """The fields of one row in their order on the wire."""
    lines = ["| field | form | unit | from | to | what it is |", "|---|---|---|---|---|---|"]
    lines += [_field_line(field) for field in row.fields]
    if row.flags:
        lines.append(f"| flags | {FORMS[row.flags_wire]} | bits | | | see below |")
    return "\n".join(lines)


def flag_table(row: Message[Any]) -> str:
    """The bits of a row's flags."""
    lines = ["| bit | flag | true when |", "|---|---|---|"]
    return "\n".join(lines + [f"| {flag.bit} | {flag.name} | {flag.doc} |" for flag in row.flags])


def message_table(rows: tuple[Message[Any], ...]) -> str:
    """One line for each message, with its fields in order."""
    lines = ["| id | name | nature | fields | what it says |", "|---|---|---|---|---|"]
    return "\n".join(lines + [_message_line(row) for row in rows])


def result_table(schema: AnySchema) -> str:
    """The results in the answers of a kind of device."""
    return "\n".join(["| result | name |", "|---|---|", *(f"| {r.value} | {r.name} |" for r in schema.results)])


def tables_of(schema: AnySchema) -> list[str]:
    """Every table of a kind of device."""
    with_fields = [row for row in (*schema.commands, *schema.events) if row.fields]
    return [
        field_table(schema.status),
        flag_table(schema.status),
        message_table(schema.commands),
        message_table(schema.events),
        result_table(schema),
        *(field_table(row) for row in with_fields),
    ]


def _field_line(field: Field) -> str:
    low, high = ("", "") if field.wire is Wire.TEXT16 else (field.low, field.high)
    return f"| {field.name} | {FORMS[field.wire]} | {field.unit} | {low} | {high} | {field.doc} |"


def _message_line(row: Message[Any]) -> str:
    names = ", ".join(field.name for field in row.fields) or "none"
    return f"| 0x{row.id:02X} | {row.name} | {row.nature} | {names} | {row.doc} |"
