"""The simulated sign against bytes by hand: it accepts a real sign's commands, and no others."""

import pytest

from simulators.devices.alpha_sign import CLEARING_TAKES_S, SimulatedAlphaSign

NULS = bytes(5)
LAY_OUT = NULS + b"\x01Z00\x02E$AAL0100FF000BL00200000\x04"
TEXT = NULS + b"\x01Z00\x02AA\x1b bPOT \x100\x04"


def ready(**options: bool) -> SimulatedAlphaSign:
    sign = SimulatedAlphaSign(**options)
    sign.receive_data(LAY_OUT, 0.0)
    sign.receive_data(TEXT, 1.0)
    return sign


def test_published_packets_lay_out_and_fill_it() -> None:
    sign = ready()
    nested = NULS + b"\x01Z00\x02G011045.28 \x03\x02G12.41 \x03\x04"
    sign.receive_data(nested, 2.0)
    assert sign.shown == b"POT 11045.28 ", "string 1 was never laid out"


def test_a_right_checksum_is_taken_and_a_wrong_one_is_not() -> None:
    sign = ready()
    sign.receive_data(NULS + b"\x01Z00\x02G01234.56\x0301DF\x04", 2.0)
    assert sign.shown == b"POT 1234.56"
    sign.receive_data(NULS + b"\x01Z00\x02G09999.99\x0301DF\x04", 3.0)
    assert sign.shown == b"POT 1234.56"


@pytest.mark.parametrize(
    "packet",
    [
        b"\x01f00\x02G05.00\x04",  # another type of sign
        b"\x01Z07\x02G05.00\x04",  # another address
        b"\x01Z00\x02G05.00",  # never ended
        b"\x01Z00\x02G15.00\x04",  # no such file
        b"\x01Z00G05.00\x04",  # no STX
        b"\x01" + b"Z" * 2000 + b"\x04",
        b"\x04\x04\x02G05.00\x04",
    ],
)
def test_what_is_not_for_it_changes_nothing(packet: bytes) -> None:
    sign = ready()
    sign.receive_data(packet, 2.0)
    assert sign.shown == b"POT "
    assert sign.data_to_send() == b""


def test_it_is_deaf_while_it_clears_its_memory() -> None:
    sign = SimulatedAlphaSign()
    sign.receive_data(LAY_OUT, 0.0)
    sign.receive_data(TEXT, CLEARING_TAKES_S / 2)
    assert sign.shown == b""
    sign.receive_data(TEXT, CLEARING_TAKES_S)
    assert sign.shown == b"POT "


def test_the_priority_message_hides_all_until_it_is_empty() -> None:
    sign = ready()
    sign.receive_data(NULS + b"\x01Z00\x02A0\x1b bHELD\x04", 2.0)
    assert sign.shown == b"HELD"
    sign.receive_data(NULS + b"\x01Z00\x02A0\x04", 3.0)
    assert sign.shown == b"POT "


def test_it_reads_back_in_the_form_of_the_write() -> None:
    sign = ready()
    sign.receive_data(NULS + b"\x01Z00\x02G01234.56\x04" + NULS + b"\x01Z00\x02H0\x04", 2.0)
    assert sign.data_to_send() == bytes(20) + b"\x01000\x02G01234.56\x0301DF\x04"
    sign.receive_data(NULS + b"\x01Z00\x02F$\x04", 3.0)
    assert sign.data_to_send().startswith(bytes(20) + b"\x01000\x02E$AAL0100FF000BL00200000\x03")


def test_one_that_only_listens_says_nothing() -> None:
    sign = ready(reads_back=False)
    sign.receive_data(NULS + b"\x01Z00\x02F$\x04", 2.0)
    assert sign.data_to_send() == b""
