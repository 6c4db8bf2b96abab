"""The ``Trainer`` logs what a suite finds while a model learns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import robustfim
from robustfim import UsageError
from tests.robustfim.critic import reviews
from tests.robustfim.transformer import save_transformer

transformers = pytest.importorskip("transformers")
pytest.importorskip("accelerate")

NAMES = ["negative", "positive"]
ROWS = [{"text": text, "label": NAMES[liked]} for text, liked in reviews()[::6]]
CHECKS = {"typos": {"perturb": {"use": "typos", "candidates": 2}}, "ends": {"perturb": {"use": "typos", "words": 2}}}


@pytest.fixture
def trainer(tmp_path: Path) -> Callable[[], Any]:
    """Make the same trainer of three steps each time, of a model that knows the reviews."""
    save_transformer(tmp_path, dict(enumerate(NAMES)))

    def make() -> Any:
        transformers.set_seed(3)
        model = transformers.BertForSequenceClassification.from_pretrained(tmp_path)
        tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
        rows = [{**tokenizer(text, truncation=True, max_length=64), "labels": liked} for text, liked in reviews()[::6]]
        options = transformers.TrainingArguments(
            str(tmp_path / "out"), max_steps=3, per_device_train_batch_size=8, logging_steps=4, seed=1,
            save_strategy="no", report_to=[], use_cpu=True, disable_tqdm=True, learning_rate=1e-3,
        )  # fmt: skip
        return transformers.Trainer(model, options, train_dataset=rows, processing_class=tokenizer)

    return make


def test_a_suite_is_run_before_every_so_many_steps_and_at_the_end(trainer: Callable[[], Any]) -> None:
    callback: Any = pytest.importorskip("robustfim_huggingface.finetune.callback")
    taught = trainer()
    taught.add_callback(callback.SuiteCallback(taught, every=2, data=ROWS, checks=CHECKS, seed=5))
    taught.train()
    logs = {each["step"]: each for each in taught.state.log_history if "eval_robustfim_accuracy" in each}
    assert list(logs) == [0, 2, 3]
    pipeline = transformers.TextClassificationPipeline(
        model=taught.model.eval(), tokenizer=taught.processing_class, task="text-classification", device="cpu"
    )
    run = robustfim.run(model=pipeline, data=ROWS, checks=CHECKS, seed=5)
    assert logs[3]["eval_robustfim_accuracy"] == pytest.approx(run.record.model.accuracy.rate)
    for name in CHECKS:
        assert logs[3][f"eval_robustfim_broken_{name}"] == pytest.approx(run.checks[name].rate)
    alone = trainer()
    alone.train()
    for name, weight in alone.model.state_dict().items():
        assert bool((weight == taught.model.state_dict()[name]).all()), name


def test_what_cannot_be_run_is_refused_before_the_first_step(trainer: Callable[[], Any]) -> None:
    callback: Any = pytest.importorskip("robustfim_huggingface.finetune.callback")
    taught = trainer()
    with pytest.raises(UsageError, match="every=0 is below 1"):
        callback.SuiteCallback(taught, every=0)
    with pytest.raises(UsageError, match="the trainer's model is tested: leave out 'model'"):
        callback.SuiteCallback(taught, model="reference/cnn")
    taught.add_callback(callback.SuiteCallback(taught, data=ROWS, checks={"typos": {"perturb": "tpyos"}}))
    with pytest.raises(UsageError, match="Did you mean 'typos'"):
        taught.train()
    assert taught.state.global_step == 0
    taught.processing_class = None
    with pytest.raises(UsageError, match=r"no tokenizer: Trainer\(…, processing_class=tokenizer\)"):
        callback.SuiteCallback(taught)
