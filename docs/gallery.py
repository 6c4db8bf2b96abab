"""``python -m docs.gallery``: docs/gallery.md, what each perturbation of words and form makes of a sentence."""

from __future__ import annotations

from pathlib import Path

import robustfim
import robustfim_words
from robustfim import Candidate
from robustfim.errors import RobustfimError

__all__ = ["TEXTS", "main", "page"]

HERE = Path(__file__).parent

TEXTS = (
    "I don't think the sequel is as good as the first film, but Anna Keller is wonderful in it.",
    "We waited 45 minutes in Lisbon for 3 cold pizzas, and nobody of the staff said sorry!",
    "The plot is boring. The actors are excellent, especially the women, and the color of every scene is beautiful.",
    "Microsoft told Reuters that the French engineers will meet in Berlin on 12 May. They will not talk about prices.",
    "My brother thinks that this is a very good book, and he is right: it is honest, well-written and funny.",
    "A young Muslim doctor and her husband receive an award for their café near the station.",
    "I bought two phones. The screens are excellent. I loved them.",
    "A 72-year-old farmer definitely believes their neighbours should have gone there, too.",
    "The hotel is clean. The rooms are large. Breakfast costs ten euros. Mrs. Okafor at the desk was kind to us.",
    "Thanks for the information about the university, please send me the picture tomorrow.",
    "The rooms were lovely and the staff was friendly.",
)
"""Sentences that were written for this page."""


def page() -> str:
    """Write the page: each name with its shortest candidate of the sentences above."""
    lines = [
        "# Gallery",
        "",
        "Each row shows one change by a perturbation: ~~removed~~ and **new** words. To see your own texts, run "
        "`robustfim perturb typos --data reviews.csv --sample 50`. [Perturbations](perturbations.md) explains when a "
        "change keeps the label. `random_words` keeps no meaning; it is there to compare others with.",
        "",
        "| perturbation | example |",
        "| --- | --- |",
    ]
    absent: dict[str, str] = {}
    for name in sorted(name for name in robustfim_words.robustfim_offers()["perturbations"] if "/" not in name):
        try:
            made = robustfim.perturb(name, list(TEXTS), candidates=1, seed=0)
        except RobustfimError as error:
            absent[name] = str(error)
            continue
        pairs = [_pair(candidate) for candidates in made.candidates for candidate in candidates]
        if pairs:
            lines.append(f"| `{name}` | {min(pairs, key=_unseen_and_long)} |")
        else:
            absent[name] = "it changes none of these sentences"
    if absent:
        lines += ["", "Not shown:", "", *(f"- `{name}`: {reason}" for name, reason in absent.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    (HERE / "gallery.md").write_text(page(), encoding="utf-8")
    print("wrote docs/gallery.md")


def _unseen_and_long(pair: str) -> tuple[bool, int]:
    """Whether no mark shows the change, as for a removed blank; and the length."""
    return "**" not in pair and "~~" not in pair, len(pair)


def _pair(candidate: Candidate) -> str:
    """A candidate as one line of Markdown, in which what was changed is marked."""
    text, at, parts = candidate.source.fields["text"], 0, []
    for edit in sorted(candidate.edits, key=lambda candidate_edit: candidate_edit.start):
        parts.append(_plain(text[at : edit.start]))
        parts.append(_marked("~~", edit.before) + (" " if edit.before.strip() and edit.after.strip() else ""))
        parts.append(_marked("**", edit.after))
        at = edit.end
    return "".join([*parts, _plain(text[at:])]).strip()


def _marked(mark: str, text: str) -> str:
    """Text between marks, its outer spaces outside of them; what cannot be seen is named."""
    inner = text.strip()
    if not inner:
        return f"{mark}`{text.encode('unicode_escape').decode()}`{mark}" if text.strip(" ") else text
    shown = inner if inner.isprintable() else f"`{inner.encode('unicode_escape').decode()}`"
    start = len(text) - len(text.lstrip())
    if mark == "~~" and not any(map(str.isalnum, inner)):  # beside a word, Markdown takes such a mark for no beginning
        return f"{text[:start]}<del>{_plain(shown)}</del>{text[start + len(inner) :]}"
    return f"{text[:start]}{mark}{_plain(shown)}{mark}{text[start + len(inner) :]}"


def _plain(text: str) -> str:
    return text.replace("*", "\\*").replace("~", "\\~").replace("<", "&lt;") if "`" not in text else text


if __name__ == "__main__":
    main()
