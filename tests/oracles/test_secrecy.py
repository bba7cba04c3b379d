"""The oracle of secrecy: paired worlds agree until the card is turned, and no output names it before."""

from simulators.oracles.secrecy import Hidden, Output, Shown, cards_named, first_difference, masked, named_too_early


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


HIDDEN = [Hidden("KH", 2.0, 5.0), Hidden("QD", 1.0)]


def leaks(*outputs: Output, shown: list[Shown] | None = None) -> list[str]:
    return [violation.found for violation in named_too_early(outputs, HIDDEN, shown or [])]


def test_a_card_that_lies_face_down_is_named() -> None:
    assert leaks(Output(3.0, "journal", '{"body":{"card":"KH"}}')) == ["3.0 s, journal: names KH"]
    assert leaks(Output(3.0, "log", "turned to KH, seat 0")) == ["3.0 s, log: names KH"]
    assert leaks(Output(99.0, "status", b'{"text":"missing QDx1"}')) == ["99.0 s, status: names QD"]
    assert leaks(Output(3.0, "status", '{"KH":1}'))
    assert leaks(Output(3.0, "status", '["x",{"cards":[["KH"]]}]\n{"card":"QD"}')) == [
        "3.0 s, status: names KH",
        "3.0 s, status: names QD",
    ]


def test_before_it_is_laid_and_after_it_is_turned_it_may_be_named() -> None:
    assert leaks(Output(1.9, "log", "KH"), Output(5.0, "log", "KH")) == []


def test_another_card_of_the_same_face_may_be_named() -> None:
    assert leaks(Output(3.0, "log", "KH"), shown=[Shown("KH", 2.5)]) == []
    assert leaks(Output(3.0, "log", "KH"), shown=[Shown("KH", 3.5)])
    assert leaks(Output(3.0, "log", "KH"), shown=[Shown("KS", 2.5)])


def test_what_is_no_card_is_no_leak() -> None:
    for text in ('{"serial":"KH"}', '{"head":"KH"}', "WALKHOME", "10KH", "KHz", '{"seq":2}', b"\xff\x00"):
        assert leaks(Output(3.0, "log", text)) == []


def test_cards_in_a_text() -> None:
    assert cards_named(Output(0.0, "x", '{"a":"10H, AS;2C"}')) == {"10H", "AS", "2C"}
    assert cards_named(Output(0.0, "x", "1H 11H 0C AX")) == set()
