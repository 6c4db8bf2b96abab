"""One network as a folder, in ONNX, as a pipeline and behind an address: one verdict, on what it reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim import Example, ModelError, UsageError
from robustfim_blackbox.onnx_file import OnnxFile
from robustfim_huggingface.classifier.given_pipeline import GivenPipeline
from robustfim_huggingface.classifier.model import SequenceClassifier
from tests.plugins.robustfim_blackbox.serving import LocalServer, Reply, Request
from tests.robustfim.critic import reviews
from tests.robustfim.transformer import export_onnx, save_transformer, trained

transformers = pytest.importorskip("transformers")
pytest.importorskip("onnxruntime")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")

NAMES = {0: "negative", 1: "positive"}
LONG = " " + " ".join(text for text, liked in reviews()[:8] if liked)
TEXTS = [*(text for text, _ in reviews()[::40]), *(text + LONG for text, _ in reviews()[::40])]
EXAMPLES = [Example({"text": text}) for text in TEXTS]
ROWS = [
    {"text": text + LONG * (place % 2), "label": NAMES[liked]} for place, (text, liked) in enumerate(reviews()[::6])
]
CHECKS = {"typos": {"perturb": {"use": "typos", "words": 4, "candidates": 2}, "limit": 0.4}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of 64 positions, its tokenizer without any limit, and its export."""
    folder = save_transformer(tmp_path_factory.mktemp("network"), NAMES)
    export_onnx(trained()[0], folder / "onnx" / "model.onnx")
    return folder


def pipeline(folder: Path, **options: Any) -> Any:
    return transformers.pipeline("text-classification", str(folder), device="cpu", **options)


def copied(folder: Path, to: Path, file: str = "tokenizer_config.json", **entries: Any) -> Path:
    """A copy, with other entries in one of its files of JSON."""
    shutil.copytree(folder, to, dirs_exist_ok=True)
    held = json.loads((to / file).read_text(encoding="utf-8"))
    (to / file).write_text(json.dumps({**held, **entries}), encoding="utf-8")
    return to


def found(model: Any, rows: Sequence[dict[str, str]] = ROWS) -> dict[str, Any]:
    """What a run finds, without times, costs and the name of its model."""
    record = robustfim.run(model=model, data=list(rows), checks=CHECKS).record.model_dump(mode="json")
    # A guard's sentence names the module that gave the model, and a pipeline's device is asked for.
    kept = ("outcome", "accuracy", "data", "checks", "examples", "arms", "causes", "warnings", "exit_code")
    return {key: record[key] for key in kept if key in record} | {"accuracy": record["model"]["accuracy"]}


def close(one: Any, other: Any, place: str = "") -> None:
    """Compare two values of JSON, numbers within 1e-4."""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), place
        for key in one.keys() - {"duration_s", "model_calls", "cached_calls", "started"}:
            close(one[key], other[key], f"{place}.{key}")
    elif isinstance(one, list):
        assert len(one) == len(other), place
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            close(a, b, f"{place}.{number}")
    elif isinstance(one, float):
        assert one == pytest.approx(other, abs=1e-4), place
    else:
        assert one == other, place


@pytest.fixture
def address(folder: Path, serve: Callable[[Callable[[Request], Reply]], LocalServer]) -> dict[str, Any]:
    """The network behind an address, which cuts and says nothing of it."""
    pytest.importorskip("httpx")
    model = OnnxFile(folder)

    def answer(request: Request) -> Reply:
        return Reply(model.predict([Example({"text": text}) for text in request.body["inputs"]]).tolist())

    url = serve(answer).url
    return {"use": "http", "url": url, "body": {"inputs": "{texts}"}, "answer": "", "labels": list(NAMES.values())}


def test_folder_onnx_and_pipeline_of_one_network_give_equal_records(folder: Path) -> None:
    expected = found({"use": "huggingface", "path": folder})
    assert expected["data"]["window"] == {"told": True, "partly": len(ROWS) // 2, "probed": 0, "unread": 0}
    right = {example["fields"]["text"] for example in expected["examples"] if example["correct"]}
    assert expected["checks"][0]["tested"] == len(right) < len(ROWS)
    assert expected["checks"][0]["partly"] == sum(LONG in text for text in right) > 0
    close(found({"use": "onnx", "path": folder / "onnx"}), expected)
    close(found(pipeline(folder)), expected)


def test_a_server_differs_only_in_what_it_cannot_say(folder: Path, address: dict[str, Any]) -> None:
    short = [row for row in ROWS if LONG not in row["text"]]
    expected, served = found({"use": "onnx", "path": folder}, short), found(address, short)
    assert (expected["data"].pop("window")["told"], served["data"].pop("window")["told"]) == (True, False)
    close(served, expected)
    expected, served = found({"use": "onnx", "path": folder}), found(address)
    close(served["examples"], expected["examples"])
    assert served["accuracy"] == expected["accuracy"]
    assert served["data"]["window"] == {"told": False, "partly": 0, "probed": 5, "unread": 5}
    assert any("the model seems to read long texts in part" in warning for warning in served["warnings"])


@pytest.mark.parametrize(
    ("file", "entries", "limit"),
    [
        ("config.json", {}, 64),
        ("tokenizer_config.json", {"model_max_length": 20}, 20),
        ("tokenizer_config.json", {"model_max_length": 20, "truncation_side": "left"}, 20),
        (
            "tokenizer.json",
            {"truncation": {"direction": "Right", "max_length": 16, "strategy": "LongestFirst", "stride": 0}},
            16,
        ),
    ],
)
def test_each_route_reads_as_the_files_beside_the_network_say(
    folder: Path, tmp_path: Path, file: str, entries: dict[str, Any], limit: int
) -> None:
    path = copied(folder, tmp_path, file, **entries)
    routes: list[Any] = [SequenceClassifier(path), OnnxFile(path / "onnx"), GivenPipeline(pipeline(path))]
    one, *others = [route.predict(EXAMPLES) for route in routes]
    windows, *rest = [robustfim.window.windows(route, EXAMPLES) for route in routes]
    assert [window is None for window in windows or ()] == [LONG not in text for text in TEXTS] or limit < 64
    for row, window in zip(others, rest, strict=True):
        np.testing.assert_allclose(row, one, atol=1e-5)
        assert window == windows
    read = routes[1]._tokens.encode(TEXTS)[0]["input_ids"]
    assert read.shape[1] == limit


@pytest.mark.parametrize(
    ("inputs", "integers", "shape"),
    [
        (("input_ids", "attention_mask", "token_type_ids"), "int32", (1, 32)),
        (("input_ids", "attention_mask"), "int64", (4, None)),
        (("input_ids", "attention_mask", "position_ids"), "float32", (None, 32)),
    ],
)
def test_a_graph_gets_the_types_and_shapes_that_it_asks_for(
    folder: Path, tmp_path: Path, inputs: tuple[str, ...], integers: str, shape: tuple[int | None, int | None]
) -> None:
    path = copied(folder, tmp_path)
    shutil.rmtree(path / "onnx")
    export_onnx(trained()[0], path / "model.onnx", inputs=inputs, integers=integers, shape=shape)
    model, expected = OnnxFile(path), SequenceClassifier(path, max_length=shape[1])
    np.testing.assert_allclose(model.predict(EXAMPLES), expected.predict(EXAMPLES), atol=1e-5)
    assert robustfim.window.windows(model, EXAMPLES) == robustfim.window.windows(expected, EXAMPLES)
    if shape[1] is not None:
        with pytest.raises(UsageError, match=r"max_length=40 is more than model .* can read: 32 tokens"):
            _ = OnnxFile(path, max_length=40).labels


def test_a_graph_whose_answers_depend_on_the_batch_is_asked_text_by_text(folder: Path, tmp_path: Path) -> None:
    quantization = pytest.importorskip("onnxruntime.quantization")
    path = copied(folder, tmp_path)
    file = path / "onnx" / "model_quantized.onnx"
    quantization.quantize_dynamic(path / "onnx" / "model.onnx", file)
    model, whole = OnnxFile(file), OnnxFile(path)
    together, alone = (model._probabilities(TEXTS, size) for size in (None, 1))
    assert abs(together - alone).max() > 1e-4  # else the test shows nothing
    np.testing.assert_array_equal(model.predict(EXAMPLES), alone)
    assert (model._together, whole._together) == (1, None)


def test_what_a_graph_cannot_be_given_is_refused_before_the_first_call(folder: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    path = copied(folder, tmp_path)
    graph = onnx.load(path / "onnx" / "model.onnx")
    for node in graph.graph.node:
        node.input[:] = ["pixels" if name == "attention_mask" else name for name in node.input]
    graph.graph.input[1].name = "pixels"
    onnx.save(graph, path / "onnx" / "model.onnx")
    with pytest.raises(ModelError, match=r"reads 'pixels', tensor\(int64\); .*'use: python'"):
        _ = OnnxFile(path).labels
    shutil.copy(folder / "onnx" / "model.onnx", path / "onnx")
    (path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be read: .* Save it anew\.$"):
        _ = OnnxFile(path).labels
    with pytest.raises(UsageError, match="max_length=2 leaves no room beside the 2 special tokens"):
        _ = OnnxFile(folder, max_length=2).labels


def test_a_graph_without_a_known_limit_says_how_to_give_one(folder: Path, tmp_path: Path) -> None:
    path = copied(folder, tmp_path, "config.json", max_position_embeddings=None)
    with pytest.raises(ModelError, match=r"fails on 1 texts of up to .* say how much it reads: max_length=512"):
        OnnxFile(path).predict(EXAMPLES[-1:])


def test_positions_behind_the_padding_are_no_places_for_tokens(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    _, tokenizer = trained()
    config = transformers.RobertaConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=34, pad_token_id=0, attn_implementation="eager", id2label=NAMES,
    )  # fmt: skip
    torch.manual_seed(0)
    network = transformers.RobertaForSequenceClassification(config).eval()
    network.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    export_onnx(network, tmp_path / "onnx" / "model.onnx")
    routes: list[Any] = [SequenceClassifier(tmp_path), OnnxFile(tmp_path / "onnx"), GivenPipeline(pipeline(tmp_path))]
    one, *others = [route.predict(EXAMPLES) for route in routes]
    assert routes[1]._tokens.limit == 33
    for row in others:
        np.testing.assert_allclose(row, one, atol=1e-5)


def test_a_pipeline_reads_as_its_own_options_say(folder: Path) -> None:
    given = GivenPipeline(pipeline(folder, truncation=True, max_length=12))
    expected = SequenceClassifier(folder, max_length=12)
    np.testing.assert_allclose(given.predict(EXAMPLES), expected.predict(EXAMPLES), atol=1e-5)
    assert robustfim.window.windows(given, EXAMPLES) == robustfim.window.windows(expected, EXAMPLES)
    with pytest.raises(UsageError, match=r"max_length=512 is more than model .* can read: 64 tokens"):
        GivenPipeline(pipeline(folder, truncation=True, max_length=512))


def test_a_pipeline_that_pads_on_the_left_answers_each_text_as_alone(folder: Path) -> None:
    given = pipeline(folder, batch_size=8)
    given.tokenizer.padding_side = "left"
    expected = SequenceClassifier(folder).predict(EXAMPLES)
    np.testing.assert_allclose(GivenPipeline(given).predict(EXAMPLES), expected, atol=1e-5)


def test_a_suite_names_a_pipeline_by_its_place(folder: Path, project: Any) -> None:
    made = f"transformers.pipeline('text-classification', {str(folder)!r}, device='cpu')"
    project.write("mine.py", f"import transformers\n\npipe = {made}\n\n\ndef make():\n    return pipe\n")
    project.write("films.jsonl", "\n".join(map(json.dumps, ROWS[:6])))
    suite = (
        "suite: films\nmodel: {{use: {}}}\ndata: {{use: jsonl, path: films.jsonl}}\nallow_weak: true\nchecks:\n  {}\n"
    )
    check = "typos: {perturb: {use: typos, candidates: 2}}"
    for place in ("mine:pipe", "mine:make"):
        project.write("films.yaml", suite.format(f"huggingface/pipeline, pipeline: '{place}'", check))
        shown = project("run films.yaml")
        assert shown.code == 0, shown.err + shown.out
        assert project.record().data.window.partly == 3
    project.write("films.yaml", suite.format("python, call: 'mine:pipe', labels: [negative, positive]", check))
    shown = project("run films.yaml")
    assert "{use: huggingface/pipeline, pipeline: 'mine:pipe'}" in shown.err
    project.write("films.yaml", suite.format("huggingface/pipeline, pipeline: 'mine:pip'", check))
    assert "pipeline='mine:pip' names no object, package.module:name" in project("run films.yaml").err
