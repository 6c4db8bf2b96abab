from __future__ import annotations

from tests.plugins.robustfim_checklist.conftest import Folder

LEXICONS = "lexicons: {thing: [film, plot], good: [great, good], bad: [bad, awful]}"
DATA = f"""data:
  use: templates
  {LEXICONS}
  templates:
    - {{text: "The {{thing}} is {{good}}.", label: positive}}
    - {{text: "The {{thing}} is {{bad}}.", label: negative}}
    - "{{A:bad}} {{thing}}."
"""
CHECKS = "{right: {perturb: itself, expect: correct}}"


def test_templates_are_data_with_labels_and_columns(folder: Folder) -> None:
    shown = folder.run(CHECKS, rest=f"{DATA}  label: negative\nslices: {{plots: {{field: {{thing: plot}}}}}}")
    assert shown.code == 0, shown.err
    record = folder.record
    assert {example.fields["text"]: example.label for example in record.examples} == {
        **{f"The {thing} is {word}.": "positive" for thing in ("film", "plot") for word in ("great", "good")},
        **{f"The {thing} is {word}.": "negative" for thing in ("film", "plot") for word in ("bad", "awful")},
        **{f"{word} {thing}.": "negative" for thing in ("film", "plot") for word in ("A bad", "An awful")},
    }
    assert record.model.accuracy.rate == 1.0
    assert record.slices[0].examples == 6


def test_a_sample_of_each_template_is_drawn_with_the_seed(folder: Folder) -> None:
    folder.run(CHECKS, rest=f"{DATA}  label: negative\n  sample: 1")
    first = [example.fields["text"] for example in folder.record.examples]
    assert len(first) == 3
    folder.run(CHECKS, rest=f"{DATA}  label: negative\n  sample: 1\n  seed: 1")
    assert [example.fields["text"] for example in folder.record.examples] != first


def test_bad_input_is_told(folder: Folder) -> None:
    folder.refused(CHECKS, "uses the unknown lexicon 'god'. Did you mean 'good'?", rest=DATA.replace("{good}", "{god}"))
    folder.refused(CHECKS, "make 12 sentences, and the limit is 3", rest=f"{DATA}  most: 3")
    folder.refused(CHECKS, "option 'sample': input should be greater than", rest=f"{DATA}  sample: 0")
    folder.refused(
        CHECKS, "option 'templates': list should have at least 1 item", rest="data: {use: templates, templates: []}"
    )
    folder.refused(CHECKS, "no file words.yaml.", rest=f"{DATA}  path: words.yaml")
    folder.refused(CHECKS, "labels that the model does not know: 'good'", rest=f"{DATA}  label: good")
