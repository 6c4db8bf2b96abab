"""Where gradients are computed once: what is kept, what is dropped, what is refused."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from robustfim import roles
from robustfim.contract import ModelContract
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.record import Record
from robustfim_fisher import differences
from robustfim_fisher.geometry import FisherGeometry
from tests.plugins.robustfim_fisher.models import model_of, sentences
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue


def numbers(points: object) -> list[tuple[float, float, float]]:
    assert isinstance(points, list)
    return [(point.lambda_max, point.distance, point.margin) for point in points]


def test_points_come_in_the_order_of_the_examples() -> None:
    model = model_of("cnn", special=True)
    examples = sentences(13)
    geometry: roles.Geometry = FisherGeometry(model)
    for example, point in zip(examples, geometry.at(examples), strict=True):
        assert point.lambda_max == pytest.approx(largest_eigenvalue(fisher_matrix(model, example)), rel=1e-4)


def test_texts_are_differentiated_in_batches_of_the_models_size() -> None:
    model = model_of("linear")
    FisherGeometry(model).at(sentences(13))
    assert model.forwards == [5, 5, 3]
    del model.contract
    model.forwards.clear()
    FisherGeometry(model).at(sentences(40))
    assert model.forwards == [32, 8]


def test_no_example_is_differentiated_twice() -> None:
    model = model_of("linear")
    examples = sentences(9)
    geometry = FisherGeometry(model)
    first = geometry.at([*examples[:6], *examples[:3]])
    assert geometry.calls == 6
    twin = Example(dict(examples[0].fields), label="class 1", meta={"row": 7})
    second = geometry.at([*examples, twin])
    assert geometry.calls == 9 == sum(model.forwards)
    assert numbers(second[:6]) == numbers(first[:6])
    assert numbers(second[9:]) == numbers(first[:1])


def test_text_and_all_tokens_are_kept_apart() -> None:
    geometry = FisherGeometry(model_of("cnn", special=True))
    examples = sentences(2)
    text, everything = geometry.at(examples), geometry.at(examples, tokens="all")
    assert geometry.calls == 4
    assert all(a.lambda_max < b.lambda_max for a, b in zip(text, everything, strict=True))
    assert not text[0].margin_gradient[0].any()
    assert everything[0].margin_gradient[0].any()


@pytest.mark.parametrize("classes", [2, 4])
def test_vectors_have_a_row_for_each_token_and_none_for_padding(classes: int) -> None:
    model = model_of("lstm", classes=classes, special=True)
    examples = sentences(6)
    for example, point in zip(examples, FisherGeometry(model).at(examples), strict=True):
        assert point.eigenvector.shape == point.margin_gradient.shape == (len(model.tokens(example)), 6)
        assert float(point.eigenvector.norm()) == pytest.approx(1, abs=1e-6)
        assert float((point.eigenvector * point.margin_gradient).sum()) <= 0


def test_the_margin_gradient_is_that_of_the_top_two_logits() -> None:
    model = model_of("cnn", classes=4)
    for example in sentences(4):
        (point,) = FisherGeometry(model).at([example])
        embedded = model.embed([example])
        x = embedded.embeddings.clone().requires_grad_()
        top, runner_up = model.logits(x, embedded)[0].sort(descending=True).values[:2]
        (gradient,) = torch.autograd.grad(top - runner_up, x)
        torch.testing.assert_close(point.margin_gradient, gradient[0])
        assert point.margin == pytest.approx(float((top - runner_up).detach()), rel=1e-5)


def test_dropped_vectors_are_computed_again_and_numbers_are_not() -> None:
    model = model_of("linear")
    examples = [Example({"text": f"slow {word}"}) for word in ("grief", "after", "seven")]
    each = 2 * 6 * 4  # The gradient of two tokens, six dimensions, four bytes; the eigenvector is its opposite.
    geometry = FisherGeometry(model, keep_bytes=2 * each)
    points = [point for example in examples for point in geometry.at([example])]  # of a batch all are dropped together
    assert numbers(geometry.at(examples)) == numbers(points)
    assert geometry.calls == 3
    kept = [points[1], points[2]]
    assert all(point.eigenvector.any() and point.margin_gradient.any() for point in kept)
    assert geometry.calls == 3
    expected = FisherGeometry(model).at(examples[:1])[0].eigenvector
    asked = sum(model.forwards)
    torch.testing.assert_close(points[0].eigenvector, expected)
    assert sum(model.forwards) == asked + 1
    assert points[0].margin_gradient.any()
    assert points[2].margin_gradient.any()
    assert sum(model.forwards) == asked + 1
    assert points[1].margin_gradient.any()  # The least recently used of the three.
    assert sum(model.forwards) == asked + 2
    assert geometry.calls == 3, "an example counts once"


def test_numbers_of_the_least_recently_used_are_dropped_and_computed_again() -> None:
    examples = sentences(3)
    geometry = FisherGeometry(model_of("linear"), keep_points=2)
    first = numbers(geometry.at(examples))
    assert numbers(geometry.at(examples)) == first
    assert geometry.calls == 3, "those that were asked for together are kept together"
    geometry.at([Example({"text": "slow grief"})])
    assert geometry.calls == 4
    geometry.at(examples[2:])
    assert geometry.calls == 4
    assert numbers(geometry.at(examples[:1])) == first[:1]
    assert geometry.calls == 5


def test_a_memory_too_small_for_one_example_still_serves_it() -> None:
    geometry = FisherGeometry(model_of("linear"), keep_bytes=1)
    (point,) = geometry.at(sentences(1))
    assert point.eigenvector.any()
    assert geometry.calls == 1


def test_a_batch_that_does_not_fit_into_memory_is_halved() -> None:
    model = model_of("linear")
    model.contract = ModelContract(batch_size=16)

    def fit(embeddings: Tensor) -> None:
        if len(embeddings) > 5:
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")

    model.on_embeddings = fit
    examples = sentences(20)
    found = FisherGeometry(model).at(examples)
    assert model.forwards == [16, 8, 4, 4, 4, 4, 4]
    model.on_embeddings = lambda _: None
    alone = [FisherGeometry(model).at([example])[0].lambda_max for example in examples]
    assert [point.lambda_max for point in found] == pytest.approx(alone, rel=1e-5)


def test_an_example_that_does_not_fit_into_memory_is_an_error_of_the_model() -> None:
    model = model_of("linear")

    def fail(_: Tensor) -> None:
        raise MemoryError

    model.on_embeddings = fail
    with pytest.raises(ModelError, match=r"one example of length .* does not fit into memory"):
        FisherGeometry(model).at(sentences(3))


def test_another_error_of_the_model_is_passed_on() -> None:
    model = model_of("linear")

    def fail(_: Tensor) -> None:
        raise RuntimeError("index out of range in self")

    model.on_embeddings = fail
    with pytest.raises(RuntimeError, match="out of range"):
        FisherGeometry(model).at(sentences(3))


def test_gradients_of_many_classes_are_bounded_by_splitting_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("linear", classes=10)
    examples = sentences(5)
    whole = numbers(FisherGeometry(model).at(examples))
    model.forwards.clear()
    longest = max(len(model.tokens(example)) for example in examples)
    monkeypatch.setattr(differences, "MAX_BYTES", 2 * longest * 6 * 4 * 9)
    split = numbers(FisherGeometry(model).at(examples))
    assert model.forwards == [2, 2, 1]
    for one, other in zip(whole, split, strict=True):
        assert one == pytest.approx(other, rel=1e-4)


def test_logits_that_are_not_finite_make_a_point_of_nan() -> None:
    model = model_of("cnn", classes=3)
    examples = [Example({"text": text}) for text in ("a film", "a bright grief", "nobody wanted")]
    with torch.no_grad():
        model.module.embedding.weight[model.tokens(Example({"text": "bright"}))[0][0]] = torch.inf
    geometry = FisherGeometry(model)
    points = geometry.at(examples)
    assert [math.isnan(point.lambda_max) for point in points] == [False, True, False]
    assert all(map(math.isnan, numbers(points)[1]))
    assert points[1].eigenvector.isnan().all()
    assert points[1].margin_gradient.isnan().all()
    assert points[1].eigenvector.shape == (3, 6)
    assert geometry.undefined == 1
    assert geometry.calls == 3


def test_a_text_without_a_token_of_its_own_has_no_information() -> None:
    model = model_of("linear", special=True)
    geometry = FisherGeometry(model)
    (point,) = geometry.at([Example({"text": ""})])
    assert numbers([point])[0][:2] == (0.0, math.inf)
    assert point.eigenvector.shape == (2, 6)
    assert not point.eigenvector.any()


def test_a_model_without_gradients_is_refused_with_what_still_works() -> None:
    class Remote:
        labels = ("no", "yes")
        fingerprint = "remote"

        def predict(self, examples: object) -> object:
            return examples

    with pytest.raises(ModelError, match=r"Remote has no gradients.*'margin' and 'entropy'"):
        FisherGeometry(Remote())


def test_modules_that_hold_offered_classes_import_no_torch() -> None:
    code = """
import sys
from pathlib import Path
import robustfim_fisher
for name in ("geometry", "scorers", "eigenvector", "guided"):
    __import__(f"robustfim_fisher.{name}")
print("torch" in sys.modules, "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_a_geometry_apart_forms_batches_of_its_own_and_counts_for_the_first() -> None:
    model = model_of("cnn", special=True)
    examples = sentences(13)
    geometry = FisherGeometry(model)
    geometry.at(examples)
    again = geometry.apart().at(examples[:3])
    alone = FisherGeometry(model).at(examples[:3])
    assert geometry.calls == 16
    for one, other in zip(again, alone, strict=True):
        assert torch.equal(one.eigenvector, other.eigenvector)
        assert torch.equal(one.margin_gradient, other.margin_gradient)


KILLED = """\
import os, signal, sys
import torch
from robustfim.cli import main
from robustfim.predict.store import Store

torch.set_num_threads(1)
put = Store.put

def run(reports, store, last):
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    count = [0]
    def put_and_die(self, values):
        put(self, values)
        count[0] += 1
        if count[0] == last:
            os.kill(os.getpid(), signal.SIGKILL)
    Store.put = put_and_die
    try:
        main(["run", "s.yaml", "--reports", reports, *store])
    finally:
        print("puts", count[0], flush=True)
        os._exit(0)

run("whole", ["--no-store"], 0)
for last in map(int, sys.argv[1:]):
    assert os.WTERMSIG(run(f"r{last}", ["--store", f"{last}.sqlite"], last)) == signal.SIGKILL, last
    assert run(f"r{last}", ["--store", f"{last}.sqlite"], 0) == 0
"""


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_record_that_it_would_have_had(tmp_path: Path) -> None:
    """Gradients, steps, shifts and the guided order included, to the last digit."""
    words = ["a fine film", "a dull story", "the cast is great", "it drags and drags", "no plot at all", "a moving end"]
    rows = [f"{one}, and {other} in it" + ", really" * row for row, one in enumerate(words * 3) for other in words]
    (tmp_path / "d.csv").write_text("text\n" + "".join(f'"{row}"\n' for row in rows), encoding="utf-8")
    (tmp_path / "s.yaml").write_text(
        "suite: s\nmodel: reference/cnn\ndata: {use: csv, path: d.csv, label: null}\nscores: [fisher]\n"
        "select: {by: fisher, difficult: 10, control: 10}\nchecks:\n"
        "  typos: {perturb: {use: typos, words: 2, candidates: 4, order: guided}, limit: 1}\n"
        "  steps: {perturb: {use: eigenvector, norms: [0.5, 2.0]}, limit: 1}\nreports: [json]\n",
        encoding="utf-8",
    )
    points = ["3", "6", "8"]
    done = subprocess.run([sys.executable, "-c", KILLED, *points], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr

    def plain(folder: str) -> dict[str, object]:
        record = Record.load(tmp_path / folder / "s").model_dump(mode="json", by_alias=True)
        counters = {"model_calls", "cached_calls", "gradient_calls", "step_calls"}
        for check in record["checks"]:
            del check["duration_s"]
        for score in record.get("scores", []):
            score.pop("cost", None)  # what it took, of which the store had a part
        return {key: value for key, value in record.items() if key not in counters | {"started", "duration_s"}}

    whole = plain("whole")
    assert whole["failures"]
    for point in points:
        assert plain(f"r{point}") == whole
