"""Visual question answering: questions on images of this machine, and what happens when an image changes."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import DataError, Example, ModelError, UsageError
from robustfim.cli import main
from robustfim.record import Record
from robustfim.roles import DifferentiableModel
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.answering.visual import VisualQuestionAnswering
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue
from tests.plugins.robustfim_huggingface.conftest import SIZES, word_pieces

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
PIL = pytest.importorskip("PIL.Image")

ANSWERS = ("yes", "no", "red", *(str(number) for number in range(20)))


def draw(path: Path, width: int, height: int, seed: int) -> None:
    """Save an image of noise."""
    drawn = random.Random(seed)
    image = PIL.new("RGB", (width, height))
    image.putdata([tuple(drawn.randrange(256) for _ in range(3)) for _ in range(width * height)])
    image.save(path)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ViLT with random weights."""
    path = tmp_path_factory.mktemp("vilt")
    with torch.random.fork_rng():
        torch.manual_seed(20)
        config = transformers.ViltConfig(
            vocab_size=60, image_size=32, patch_size=16, max_position_embeddings=12, modality_type_vocab_size=2,
            id2label=dict(enumerate(ANSWERS)), **SIZES,
        )  # fmt: skip
        model = transformers.ViltForQuestionAnswering(config)
        for weight in model.parameters():
            weight.data += 0.3 * torch.randn_like(weight)
    model.save_pretrained(path)
    word_pieces(path)
    transformers.ViltImageProcessor(size={"shortest_edge": 32}, size_divisor=16).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos")
    (path / "more").mkdir()
    draw(path / "wide.png", 80, 40, 1)
    draw(path / "tall.png", 32, 64, 2)
    draw(path / "more" / "small.jpg", 20, 20, 3)
    return path


@pytest.fixture(scope="module")
def model(folder: Path, images: Path) -> VisualQuestionAnswering:
    return VisualQuestionAnswering(folder, images=images, batch_size=2)


def ask(question: str, image: str = "wide.png") -> Example:
    return Example({"question": question, "image": image})


EXAMPLES = [ask("good film?"), ask("the bad", "tall.png"), ask("good film?", "more/small.jpg"), ask("the"), ask("")]


def literal(folder: Path, path: Path, question: str) -> Any:
    """Probabilities as transformers' own documentation computes them, one question at a time."""
    model = transformers.ViltForQuestionAnswering.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    processor = transformers.ViltImageProcessor.from_pretrained(folder)
    with torch.no_grad(), PIL.open(path) as image:
        pixels = processor(image.convert("RGB"), return_tensors="pt")
        return model(**tokenizer(question, return_tensors="pt"), **pixels).logits[0].double().softmax(-1).numpy()


def test_the_answers_are_those_of_transformers_whatever_is_in_the_batch(
    model: VisualQuestionAnswering, folder: Path, images: Path
) -> None:
    assert isinstance(model, DifferentiableModel)
    for example, found in zip(EXAMPLES, model.answer(EXAMPLES), strict=True):
        expected = literal(folder, images / example.fields["image"], example.fields["question"])
        order = np.argsort(-expected)[:10]
        assert [text for text, _ in found] == [ANSWERS[place] for place in order]
        np.testing.assert_allclose([number for _, number in found], expected[order], rtol=1e-3)


def test_question_and_image_both_decide_the_answer(model: VisualQuestionAnswering) -> None:
    first, *others = model.answer([ask("good film?"), ask("the bad"), ask("good film?", "tall.png")])
    for other in others:
        assert abs(first[0][1] - other[0][1]) > 1e-6


def test_the_largest_eigenvalue_is_that_of_the_literal_fisher_matrix_in_the_question(
    model: VisualQuestionAnswering,
) -> None:
    for example, point in zip(EXAMPLES[:2], FisherGeometry(model).at(EXAMPLES[:2]), strict=True):
        expected = largest_eigenvalue(fisher_matrix(model, example))
        assert expected > 1e-6
        assert point.lambda_max == pytest.approx(expected, rel=1e-3)


def test_a_changed_image_has_another_hash_and_an_equal_one_the_same(images: Path, folder: Path, tmp_path: Path) -> None:
    draw(tmp_path / "a.png", 8, 8, 1)
    draw(tmp_path / "b.png", 8, 8, 1)
    draw(tmp_path / "c.png", 8, 8, 2)

    def attached(name: str) -> str:
        return VisualQuestionAnswering(folder, images=tmp_path).attached(ask("x", name))

    assert attached("a.png") == attached("b.png") != attached("c.png")
    before = attached("a.png")
    draw(tmp_path / "a.png", 8, 8, 3)
    assert attached("a.png") != before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wild.png", r"no image .*wild\.png\. Did you mean 'wide\.png'\?"),
        ("https://example.org/a.png", "is an address, and no image is fetched"),
        ("../secret.png", "lies outside of"),
        ("more", "no image .*more"),
    ],
)
def test_an_image_that_is_not_there_is_told(model: VisualQuestionAnswering, name: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        model.attached(ask("x", name))


def test_a_broken_image_is_told(folder: Path, tmp_path: Path) -> None:
    draw(tmp_path / "a.png", 30, 30, 1)
    whole = (tmp_path / "a.png").read_bytes()
    (tmp_path / "half.png").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.png").write_text("no image", encoding="utf-8")
    model = VisualQuestionAnswering(folder, images=tmp_path)
    for name in ("half.png", "text.png"):
        with pytest.raises(DataError, match=rf"the image .*{name} cannot be read: \w+"):
            model.answer([ask("x", name)])


def test_a_missing_field_or_folder_is_told(folder: Path, images: Path) -> None:
    with pytest.raises(UsageError, match=r"no folder .*photo; 'images' names"):
        VisualQuestionAnswering(folder, images=images / "photo")
    with pytest.raises(UsageError, match="'picture', which an example lacks"):
        VisualQuestionAnswering(folder, images=images, image="picture").answer([ask("x")])
    with pytest.raises(UsageError, match="both name the field 'image'"):
        VisualQuestionAnswering(folder, images=images, question="image")


def test_a_model_without_an_image_processor_is_told_what_to_save(folder: Path, images: Path, tmp_path: Path) -> None:
    for path in folder.iterdir():
        if path.name != "preprocessor_config.json":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ModelError, match=r"the image processor of model .* cannot be loaded.*AutoProcessor"):
        VisualQuestionAnswering(tmp_path, images=images).answer([ask("x")])


def test_a_long_question_is_cut_and_counted(model: VisualQuestionAnswering) -> None:
    assert [each is None for each in model.window([ask("good " * 30), ask("good")])] == [False, True]


def test_a_model_that_writes_its_answers_is_refused(images: Path, tmp_path: Path) -> None:
    small = {"num_hidden_layers": 1, "hidden_size": 16, "intermediate_size": 16, "num_attention_heads": 2}
    config = transformers.BlipConfig(
        text_config={"vocab_size": 60, "encoder_hidden_size": 16, "max_position_embeddings": 12, **small},
        vision_config={"image_size": 16, "patch_size": 16, **small},
        projection_dim=8,
        image_text_hidden_size=16,
    )
    transformers.BlipForQuestionAnswering(config).save_pretrained(tmp_path)
    word_pieces(tmp_path)
    with pytest.raises(ModelError, match=r"BlipForQuestionAnswering\) writes its answers word by word"):
        VisualQuestionAnswering(tmp_path, images=images).answer([ask("x")])


def test_a_run_asks_again_only_about_the_image_that_changed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photos").mkdir()
    for number in range(3):
        draw(tmp_path / "photos" / f"{number}.png", 32, 32, number)
    rows = [{"question": "the good film?", "image": f"{number}.png", "answer": "yes"} for number in range(3)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "vqa.yaml").write_text(
        f"suite: vqa\nmodel: {{use: huggingface/visual-question-answering, path: '{folder}', images: photos}}\n"
        "data: {use: jsonl, path: rows.jsonl, text: [question, image], label: answer}\nscores: [margin, fisher]\n"
        "checks:\n  case: {perturb: {use: case, fields: [question]}, limit: 1}\n"
        "  step: {perturb: {use: eigenvector, norms: [0.1]}, limit: 1}\n",
        encoding="utf-8",
    )

    def run() -> Record:
        with pytest.raises(SystemExit):
            main(["run", "vqa.yaml", "-q"])
        return Record.load(tmp_path / "reports" / "vqa" / "results.json")

    first = run()
    assert first.model_calls > 0
    assert first.message == ""
    assert all(each.candidates.tested for each in first.checks)
    assert all(len(each.probabilities or ()) == 1 and each.scores["fisher"] is not None for each in first.examples)
    assert run().model_calls == 0
    draw(tmp_path / "photos" / "1.png", 32, 32, 9)
    again = run()
    assert again.model_calls == first.model_calls // 3
    assert [each.id for each in again.examples] == [each.id for each in first.examples]


def test_a_picture_is_a_small_jpeg_of_the_whole_image(model: VisualQuestionAnswering, images: Path) -> None:
    draw(images / "large.png", 400, 200, 4)  # noise compresses worst
    written = model.picture(ask("x", "large.png"))
    assert len(written) < 16_384
    with PIL.open(io.BytesIO(written)) as image:
        assert (image.format, image.size) == ("JPEG", (160, 80))


def test_images_of_failing_questions_stand_in_the_report_and_above_the_texts_of_a_study(
    folder: Path, images: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"question": f"the good film {word}?", "image": "wide.png"} for word in ("bad", "good", "film", "the")]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "vqa.yaml").write_text(
        f"suite: vqa\nmodel: {{use: huggingface/visual-question-answering, path: '{folder}', images: '{images}'}}\n"
        "data: {use: jsonl, path: rows.jsonl, text: [question, image], label: null}\nscores: [margin]\n"
        "checks:\n  step: {perturb: {use: eigenvector, norms: [30]}, limit: 1}\n",
        encoding="utf-8",
    )
    again = f"{{use: huggingface/visual-question-answering, path: '{folder}', images: '{images}'}}"
    for words in (["run", "vqa.yaml"], ["study", "agreement", "vqa.yaml", "--score", "margin", "--against", again]):
        with pytest.raises(SystemExit):
            main(words)
    record = Record.load(tmp_path / "reports" / "vqa" / "results.json")
    assert record.pictures.keys() == {each.example for each in record.failures} != set()
    for name in ("report.html", "study-agreement.html"):
        page = (tmp_path / "reports" / "vqa" / name).read_text(encoding="utf-8")
        assert "img-src data:; " in page
        assert ' src="data:image/jpeg;base64,' in page.split("<main")[1]
        assert "http" not in "".join(re.findall(r"<img[^>]*>", page))
