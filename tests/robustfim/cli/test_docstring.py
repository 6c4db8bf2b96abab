from robustfim.cli.docstring import read_docstring


class Described:
    """Swaps words, see :class:`robustfim.candidate.Edit`.

    A second paragraph
    on two lines with ``code``.

    Args:
        words: How many, a count
            or a share: 0.1.
        source (str): Where from.

    Raises:
        ValueError: Never: it is a toy.
    """


class Plain: ...


def test_paragraphs_are_joined_and_marks_taken_away() -> None:
    assert read_docstring(Described).paragraphs == (
        "Swaps words, see robustfim.candidate.Edit.",
        "A second paragraph on two lines with code.",
    )


def test_arguments_are_found_and_other_sections_are_not() -> None:
    assert read_docstring(Described).arguments == {
        "words": "How many, a count or a share: 0.1.",
        "source": "Where from.",
    }


def test_a_class_without_a_docstring_has_no_parts() -> None:
    described = read_docstring(Plain)
    assert (described.paragraphs, described.arguments) == ((), {})
