"""Models that other libraries saved: answers against the libraries' own, and what is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import robustfim
from robustfim import Example, ModelError, UsageError
from robustfim_blackbox import robustfim_translate
from robustfim_blackbox.onnx_file import OnnxFile
from robustfim_blackbox.saved import external_weights
from robustfim_blackbox.spacy_textcat import GivenTextcat, SpacyTextcat
from robustfim_huggingface import robustfim_translate as translate_folder

WORDS = {"positive": "good fine great", "negative": "bad dull awful", "neutral": "so long round"}
TRAINED = [
    (f"a {word} film with a {other} plot", label)
    for label, words in WORDS.items()
    for word in words.split()
    for other in words.split()
]
TEXTS = ["a good film", "a bad plot\nand a dull film", "so so", "good, in spite of its dull middle", "unknown", "a"]
EXAMPLES = [Example({"text": text}) for text in TEXTS]
LABELS = ("positive", "negative", "neutral")
PAIR = [Example({"premise": "a", "hypothesis": "b"})]


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    return trained_by_spacy("textcat", tmp_path_factory.mktemp("spacy") / "model")


def trained_by_spacy(factory: str, folder: Path, name: str | None = None) -> tuple[Path, Any]:
    spacy, training = pytest.importorskip("spacy"), pytest.importorskip("spacy.training")
    nlp = spacy.blank("en")
    component = nlp.add_pipe(factory, name=name)
    for label in LABELS:
        component.add_label(label)
    examples = [
        training.Example.from_dict(nlp.make_doc(text), {"cats": {name: float(name == label) for name in LABELS}})
        for text, label in TRAINED
    ]
    optimizer = nlp.initialize(lambda: examples)
    for _ in range(5):
        nlp.update(examples, sgd=optimizer, drop=0.0)
    nlp.to_disk(folder)
    return folder, nlp


def test_spacy_answers_as_the_pipeline_does(pipeline: tuple[Path, Any]) -> None:
    folder, nlp = pipeline
    model = SpacyTextcat(folder, labels={"positive": "good"})
    assert model.labels == ("good", "negative", "neutral")
    assert robustfim_translate("models", folder) == {"use": "spacy", "path": folder}
    rows = model.predict(EXAMPLES)
    expected = [[nlp(text).cats[label] for label in LABELS] for text in TEXTS]
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert np.ptp(rows[:, 0]) > 0.05
    assert SpacyTextcat(folder).fingerprint == SpacyTextcat(folder).fingerprint != model.fingerprint


@pytest.mark.parametrize("name", [None, "topics"])
def test_spacy_with_several_labels_gives_each_its_own_probability(tmp_path: Path, name: str | None) -> None:
    folder, nlp = trained_by_spacy("textcat_multilabel", tmp_path / "model", name)
    rows = SpacyTextcat(folder).predict(EXAMPLES)
    assert SpacyTextcat(folder).contract.several
    np.testing.assert_allclose(rows, [[nlp(text).cats[label] for label in LABELS] for text in TEXTS], atol=1e-6)
    assert abs(rows.sum(axis=1) - 1).max() > 0.05


def test_a_pipeline_of_spacy_that_a_script_gives_answers_as_it_does(pipeline: tuple[Path, Any]) -> None:
    folder, nlp = pipeline
    assert robustfim_translate("models", nlp) == {"use": "spacy/pipeline", "pipeline": nlp}
    assert robustfim_translate("data", nlp) is None
    rows = [{"text": text, "label": "positive"} for text in TEXTS]
    checks = {"typos": {"perturb": {"use": "typos", "candidates": 2}, "limit": 0.5}}
    run = robustfim.run(model=nlp, data=rows, checks=checks)
    found = {example.fields["text"]: example.probabilities or [] for example in run.record.examples}
    expected = SpacyTextcat(folder).predict(EXAMPLES)
    np.testing.assert_allclose([found[text] for text in TEXTS], expected, atol=1e-6)
    assert run.record.model.labels == list(LABELS)
    assert (given := GivenTextcat(nlp)).fingerprint == given.fingerprint != GivenTextcat(nlp).fingerprint
    renamed = robustfim.score({"use": nlp, "labels": {"positive": "good"}}, TEXTS, by="margin")
    assert len(list(renamed)) == len(TEXTS)


def test_a_given_pipeline_of_several_labels_is_told_by_its_factory(tmp_path: Path) -> None:
    _, nlp = trained_by_spacy("textcat_multilabel", tmp_path / "model", "topics")
    model = GivenTextcat(nlp, labels={"neutral": "so-so"})
    assert model.contract.several
    assert model.labels == ("positive", "negative", "so-so")
    expected = [[nlp(text).cats[label] for label in LABELS] for text in TEXTS]
    np.testing.assert_allclose(model.predict(EXAMPLES), expected, atol=1e-6)


def test_a_given_pipeline_without_a_trained_categorizer_says_so() -> None:
    nlp = pytest.importorskip("spacy").blank("en")
    nlp.add_pipe("sentencizer")
    with pytest.raises(UsageError, match=r"pipeline of spaCy has no component 'textcat'; it has: sentencizer\."):
        robustfim.score(nlp, TEXTS, by="margin")
    nlp.add_pipe("textcat", name="mood")
    with pytest.raises(ModelError, match=r"the component 'mood' has no labels: it is not trained"):
        robustfim.score(nlp, TEXTS, by="margin")
    with pytest.raises(UsageError, match=r"a pipeline of spaCy is needed, not 'nlp'; 'spacy' takes the folder"):
        GivenTextcat("nlp")


def test_a_folder_without_a_text_categorizer_says_what_it_has(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    nlp.to_disk(tmp_path / "one")
    with pytest.raises(UsageError, match=r"no component 'textcat'; it has: sentencizer\.$"):
        SpacyTextcat(tmp_path / "one")
    with pytest.raises(UsageError, match=r"not a spaCy pipeline.*nlp\.to_disk"):
        SpacyTextcat(tmp_path)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A scikit-learn pipeline of texts, and what skl2onnx made of it."""
    converter, types = pytest.importorskip("skl2onnx"), pytest.importorskip("skl2onnx.common.data_types")
    text, linear = pytest.importorskip("sklearn.feature_extraction.text"), pytest.importorskip("sklearn.linear_model")
    pipeline = pytest.importorskip("sklearn.pipeline").make_pipeline(
        text.TfidfVectorizer(lowercase=False, token_pattern="[a-z]+"),  # noqa: S106  # no password
        linear.LogisticRegression(C=10),
    )
    pipeline.fit(*zip(*TRAINED, strict=True))
    converted = converter.to_onnx(
        pipeline,
        initial_types=[("text", types.StringTensorType([None, 1]))],
        options={linear.LogisticRegression: {"zipmap": False}},
    )
    path = tmp_path_factory.mktemp("onnx") / "model.onnx"
    path.write_bytes(converted.SerializeToString())
    return path, pipeline


def test_onnx_of_texts_answers_as_scikit_learn_does(exported: tuple[Path, Any]) -> None:
    path, pipeline = exported
    model = OnnxFile(path, labels=[str(name) for name in pipeline.classes_])
    assert robustfim_translate("models", path) == {"use": "onnx", "path": path}
    np.testing.assert_allclose(model.predict(EXAMPLES), pipeline.predict_proba(TEXTS), atol=1e-6)
    assert OnnxFile(path.parent, labels=list("abc")).fingerprint != model.fingerprint


def test_onnx_of_maps_from_labels_to_probabilities_knows_its_labels(exported: tuple[Path, Any], tmp_path: Path) -> None:
    converter, types = pytest.importorskip("skl2onnx"), pytest.importorskip("skl2onnx.common.data_types")
    _, pipeline = exported
    usual = converter.to_onnx(pipeline, initial_types=[("input", types.StringTensorType([None, 1]))])
    (tmp_path / "model.onnx").write_bytes(usual.SerializeToString())
    model = OnnxFile(tmp_path)
    assert model.labels == tuple(pipeline.classes_)
    np.testing.assert_allclose(model.predict(EXAMPLES), pipeline.predict_proba(TEXTS), atol=1e-6)
    assert OnnxFile(tmp_path, labels={"neutral": "so-so"}).labels == ("negative", "so-so", "positive")


def test_onnx_without_names_of_its_classes_asks_for_them(exported: tuple[Path, Any], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"3 classes and no label names. List all label names in 'labels'"):
        _ = OnnxFile(exported[0]).labels
    with pytest.raises(UsageError, match=r"3 classes and 2 label names"):
        _ = OnnxFile(exported[0], labels=["a", "b"]).labels
    with pytest.raises(UsageError, match=r"name one \.onnx file with 'path'; there is none, nor in 'onnx'\."):
        OnnxFile(tmp_path)
    (tmp_path / "broken.onnx").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"broken\.onnx cannot be loaded"):
        _ = OnnxFile(tmp_path, labels=["a", "b"]).labels


@pytest.fixture(scope="module")
def transformer(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """A small BERT, as exports of transformers are: ids in, logits out, its tokenizer and names beside it."""
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *sorted({word for text, _ in TRAINED for word in text.split()})]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece({word: place for place, word in enumerate(words)},
                                                                 unk_token="[UNK]"))  # fmt: skip  # noqa: S106  # no password
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    torch.manual_seed(7)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.BertConfig(
        vocab_size=len(words), **sizes, id2label=dict(enumerate(LABELS)), attn_implementation="eager", pad_token_id=0
    )
    model = transformers.BertForSequenceClassification(config).eval()
    for weight in model.parameters():
        weight.data += 0.3 * torch.randn_like(weight)
    folder = tmp_path_factory.mktemp("transformer")
    tokenizer.save(str(folder / "tokenizer.json"))
    config.save_pretrained(folder)
    names = ["input_ids", "attention_mask"]
    given = (torch.tensor([[2, 4, 5, 3]] * 2), torch.ones(2, 4, dtype=torch.int64))
    torch.onnx.export(
        model, given, folder / "model.onnx", input_names=names, output_names=["logits"], dynamo=False,
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in names} | {"logits": {0: "batch"}},
    )  # fmt: skip

    def answers(text: str) -> Any:
        with torch.no_grad():
            ids = torch.tensor([tokenizer.encode(text).ids])
            return model(ids, torch.ones_like(ids)).logits.double()[0].numpy()

    return folder, answers


@pytest.mark.slow
def test_onnx_of_a_transformer_answers_as_it_does_whatever_the_batch(transformer: tuple[Path, Any]) -> None:
    folder, answers = transformer
    model = OnnxFile(folder)
    assert model.labels == LABELS
    softmax = pytest.importorskip("scipy.special").softmax
    np.testing.assert_allclose(model.predict(EXAMPLES), [softmax(answers(text)) for text in TEXTS], atol=1e-6)
    short = OnnxFile(folder, max_length=4)
    np.testing.assert_allclose(short.predict(EXAMPLES[3:4])[0], softmax(answers("good,")), atol=1e-6)
    assert short.fingerprint != model.fingerprint


def test_onnx_of_a_transformer_with_several_labels_gives_each_its_own_probability(
    transformer: tuple[Path, Any], tmp_path: Path
) -> None:
    folder, answers = transformer
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config["problem_type"] = "multi_label_classification"
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    model = OnnxFile(tmp_path)
    expected = [1 / (1 + np.exp(-answers(text))) for text in TEXTS]
    np.testing.assert_allclose(model.predict(EXAMPLES), expected, atol=1e-6)
    assert model.fingerprint != OnnxFile(folder).fingerprint


def test_onnx_as_the_hub_keeps_it_is_taken_from_the_folder_above(
    transformer: tuple[Path, Any], exported: tuple[Path, Any], tmp_path: Path
) -> None:
    folder, answers = transformer
    (tmp_path / "onnx").mkdir()
    for name in ("tokenizer.json", "config.json"):
        shutil.copy(folder / name, tmp_path)
    shutil.copy(folder / "model.onnx", tmp_path / "onnx" / "model.onnx")
    shutil.copy(exported[0], tmp_path / "onnx" / "model_quantized.onnx")  # another model, to be told apart
    for translate in (translate_folder, robustfim_translate):
        assert translate("models", tmp_path) in (None, {"use": "onnx", "path": tmp_path})
    assert robustfim_translate("models", tmp_path) == {"use": "onnx", "path": tmp_path}
    model = OnnxFile(tmp_path)
    assert model.labels == LABELS
    softmax = pytest.importorskip("scipy.special").softmax
    np.testing.assert_allclose(model.predict(EXAMPLES), [softmax(answers(text)) for text in TEXTS], atol=1e-6)
    named = OnnxFile(tmp_path / "onnx" / "model.onnx")
    assert (named.labels, named.fingerprint) == (LABELS, model.fingerprint)
    quantized = OnnxFile(tmp_path / "onnx" / "model_quantized.onnx")
    np.testing.assert_allclose(quantized.predict(EXAMPLES), exported[1].predict_proba(TEXTS), atol=1e-6)
    with (tmp_path / "tokenizer.json").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert OnnxFile(tmp_path).fingerprint != model.fingerprint


def test_onnx_of_several_files_without_a_model_onnx_asks_for_one(tmp_path: Path) -> None:
    (tmp_path / "onnx").mkdir()
    for name in ("model_fp16.onnx", "model_int8.onnx"):
        (tmp_path / "onnx" / name).write_bytes(b"x")
    with pytest.raises(UsageError, match=r"with 'path'; there is onnx/model_fp16\.onnx, onnx/model_int8\.onnx\.$"):
        OnnxFile(tmp_path)
    (tmp_path / "model.onnx").write_bytes(b"x")
    (tmp_path / "model_quantized.onnx").write_bytes(b"x")
    with pytest.raises(ModelError, match=r"/model\.onnx cannot be loaded"):
        _ = OnnxFile(tmp_path, labels=["a"]).labels


def test_onnx_of_a_transformer_without_a_tokenizer_says_how_to_save_one(
    transformer: tuple[Path, Any], tmp_path: Path
) -> None:
    (tmp_path / "model.onnx").write_bytes((transformer[0] / "model.onnx").read_bytes())
    with pytest.raises(ModelError, match=r"no tokenizer\.json lies beside the model.*save_pretrained"):
        OnnxFile(tmp_path, labels=list(LABELS)).predict(EXAMPLES)


@pytest.mark.parametrize("cls", [OnnxFile, SpacyTextcat])
def test_a_pair_of_texts_is_refused_with_the_way_out(
    cls: Callable[..., Any], pipeline: tuple[Path, Any], exported: tuple[Path, Any]
) -> None:
    paths: dict[object, Path] = {OnnxFile: exported[0], SpacyTextcat: pipeline[0]}
    with pytest.raises(UsageError, match=r"reads one text, but an example has premise, hypothesis\. .*'use: python'"):
        cls(paths[cls], labels=list("abc")).predict(PAIR)


def test_weights_beside_an_onnx_file_are_of_its_fingerprint_under_any_name(tmp_path: Path) -> None:
    onnx, runtime = pytest.importorskip("onnx"), pytest.importorskip("onnxruntime")
    helper = onnx.helper
    floats = onnx.TensorProto.FLOAT

    def tensor(name: str) -> Any:
        return onnx.numpy_helper.from_array(np.ones((300, 2), np.float32), name)

    def constant(name: str) -> Any:
        made = helper.make_node("Constant", [], [f"{name}_out"], value=tensor(name))
        return helper.make_graph([made], name, [], [helper.make_tensor_value_info(f"{name}_out", floats, [300, 2])])

    condition = helper.make_tensor("yes", onnx.TensorProto.BOOL, [], [True])
    nodes = [
        helper.make_node("If", ["yes"], ["chosen"], then_branch=constant("one"), else_branch=constant("two")),
        helper.make_node("Add", ["chosen", "weights"], ["table"]),
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axes"], ["logits"], keepdims=0),
    ]
    axes = helper.make_tensor("axes", onnx.TensorProto.INT64, [1], [1])
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["b", "t"])],
        [helper.make_tensor_value_info("logits", floats, ["b", 2])],
        [tensor("weights"), condition, axes],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    (tmp_path / "deep").mkdir()
    path = tmp_path / "model.onnx"
    places = {"weights": "weights.bin", "one": "deep/one", "two": "two.dat"}
    for each in [*model.graph.initializer, *(n.attribute[0].t for a in nodes[0].attribute for n in a.g.node)]:
        if each.name in places:
            (tmp_path / places[each.name]).write_bytes(each.raw_data)
            onnx.external_data_helper.set_external_data(each, places[each.name])
    for node in model.graph.node:
        for attribute in node.attribute:
            for inner in attribute.g.node:
                held = inner.attribute[0].t
                held.CopyFrom(
                    next(
                        n.attribute[0].t
                        for a in nodes[0].attribute
                        for n in a.g.node
                        if n.attribute[0].t.name == held.name
                    )
                )
                held.ClearField("raw_data")
    for each in model.graph.initializer:
        if each.name in places:
            each.ClearField("raw_data")
    path.write_bytes(model.SerializeToString())
    assert external_weights(path) == sorted(tmp_path / name for name in places.values())
    tokenizers = pytest.importorskip("tokenizers")
    words = tokenizers.models.WordLevel({"a": 0}, unk_token="a")  # noqa: S106  # a word, no password
    tokenizers.Tokenizer(words).save(str(tmp_path / "tokenizer.json"))
    first = OnnxFile(path, labels=["a", "b"]).fingerprint
    assert runtime.InferenceSession(str(path)).run(None, {"input_ids": np.ones((1, 2), np.int64)})[0].tolist() == [
        [4, 4]
    ]
    for name in places.values():
        before = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(bytes(2400))
        assert OnnxFile(path, labels=["a", "b"]).fingerprint != first
        (tmp_path / name).write_bytes(before)
    assert OnnxFile(path, labels=["a", "b"]).fingerprint == first


@pytest.mark.parametrize("content", [b"", b"\xff" * 40, b"no protobuf", b"\n\x08location\x12\x7f"])
def test_a_broken_onnx_file_names_no_weights(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.onnx").write_bytes(content)
    assert external_weights(tmp_path / "model.onnx") == []
