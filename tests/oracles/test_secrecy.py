"""The oracle of secrecy: paired worlds agree until the card is turned."""

from simulators.oracles.secrecy import Output, first_difference, masked


def commitment(digit: str) -> str:
    return f'{{"card":null,"commitment":"{digit * 64}"}}'


WORLD = [
    Output(1.0, "display", b"0.00"),
    Output(2.0, "journal", commitment("a")),
    Output(2.0, "seals", b"one"),
    Output(2.5, "log", '{"event":"act","seq":7}'),
    Output(3.0, "answers", '{"card":"KH"}'),
]


def other(index: int, output: Output) -> list[Output]:
    return [*WORLD[:index], output, *WORLD[index + 1 :]]


TWIN = [
    *other(1, Output(2.0, "journal", commitment("b")))[:2],
    Output(2.0, "seals", b"two"),
    WORLD[3],
    Output(3.0, "answers", '{"card":"AS"}'),
]


def test_worlds_that_differ_only_in_what_stands_for_the_card() -> None:
    assert first_difference(WORLD, TWIN, 3.0) is None


def test_from_the_turning_on_they_may_differ() -> None:
    assert first_difference(WORLD, TWIN, None) is not None
    assert first_difference(WORLD, TWIN, 3.1) is not None


def test_the_first_output_that_differs_is_named() -> None:
    found = first_difference(WORLD, other(3, Output(2.5, "log", '{"event":"act","seq":8}')), 3.0)
    assert found is not None
    assert found.clause == "pt.bj.17b"
    assert "output 4: 2.5 s, log" in found.found
    assert '"seq":8' in found.expected


def test_the_time_of_an_output_tells_too() -> None:
    assert first_difference(WORLD, other(3, Output(2.500001, "log", WORLD[3].data)), 3.0) is not None


def test_an_output_more_or_less_tells_too() -> None:
    assert first_difference(WORLD, WORLD[:3], 3.0) is not None
    assert first_difference(WORLD[:3], WORLD, 3.0) is not None
    assert first_difference(WORLD[:4], WORLD, 3.0) is None


def test_the_stream_and_the_length_of_a_seal_tell_too() -> None:
    assert first_difference(WORLD, other(2, Output(2.0, "seals", b"three")), 3.0) is not None
    assert first_difference(WORLD, other(3, Output(2.5, "status", WORLD[3].data)), 3.0) is not None


def test_only_whole_hashes_are_masked() -> None:
    assert masked(Output(0.0, "x", "a" * 64)).data == b"#" * 64
    assert masked(Output(0.0, "x", "a" * 63)).data == b"a" * 63
    assert masked(Output(0.0, "x", "a" * 65)).data == b"a" * 65
    assert masked(Output(0.0, "seals", "KH")).data == b"##"


def test_the_head_is_masked_in_the_place_of_an_export_alone() -> None:
    assert masked(Output(0.0, "journal", '"journal_at":"1.35.c5da14cb16c598aa"')).data == (
        b'"journal_at":"1.35.' + b"#" * 16 + b'"'
    )
    for other_text in ("c5da14cb16c598aa", "1.c5da14cb16c598aab", "1.35.c5da14cb16c598a"):
        assert masked(Output(0.0, "journal", other_text)).data == other_text.encode()
