"""Loading and saving of checkpoints with transformers: only safetensors, no remote code, no missing head."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError
from robustfim_checkpoints.adapter import merge, saved_weights, trained_classes
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.library import library, reason

__all__ = ["load_base", "load_model", "load_tokenizer", "quiet", "save"]

_TRAINED = {
    "AutoModelForSequenceClassification": "classifier",
    "AutoModelForCausalLM": "causal language model",
    "AutoModelForMaskedLM": "masked language model",
    "AutoModel": "encoder",
    "AutoModelForSeq2SeqLM": "sequence-to-sequence model",
}
_VOCABULARIES = ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "*.model", "vocab.*")


def load_tokenizer(checkpoint: Checkpoint) -> Any:
    """Load a saved model's tokenizer, and make sure that it can pad.

    Raises:
        ModelError: There is no tokenizer, it cannot be loaded, or it has no token to pad with.
    """
    transformers = library("transformers", extra="huggingface")
    remedy = "Save it beside the model: AutoTokenizer.from_pretrained(…).save_pretrained(folder)."
    if not any(any(checkpoint.vocabulary.glob(pattern)) for pattern in _VOCABULARIES):
        raise ModelError(f"model {checkpoint.name} has no tokenizer. {remedy}")
    with _loading(transformers, f"the tokenizer of model {checkpoint.name}", remedy):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(checkpoint.vocabulary), local_files_only=True, trust_remote_code=False
        )
    if tokenizer.pad_token is None:
        if tokenizer.eos_token is None:
            raise ModelError(
                f"model {checkpoint.name}: its tokenizer has neither a padding nor an end token, so texts cannot "
                'be batched. Set "pad_token" in its tokenizer_config.json.'
            )
        tokenizer.pad_token = tokenizer.eos_token
    # A learned position is counted from the left, padding or not. XLNet alone reads its last place.
    tokenizer.padding_side = "left" if checkpoint.config.get("model_type") == "xlnet" else "right"
    return tokenizer


def load_model(
    checkpoint: Checkpoint, dtype: Any, tokenizer: Any, auto: str = "AutoModelForSequenceClassification"
) -> Any:
    """Load a saved model for evaluation, with frozen weights.

    Raises:
        ModelError: The model cannot be loaded, or the saved weights are incomplete.
    """
    model, missing, misfits = _pretrained(checkpoint, auto, dtype)
    if auto == "AutoModel":
        missing = [name for name in missing if "pooler" not in name]  # which only a head would read
    if misfits:
        raise ModelError(
            f"model {checkpoint.name}: config.json does not fit the weights: {', '.join(misfits[:4])} would have "
            "another shape. config.json must name as many labels as the model was trained on."
        )
    if missing and (checkpoint.folder / "model_head.pkl").is_file():
        raise ModelError(
            f"model {checkpoint.name} is a sentence transformer with a head of SetFit. Write 'use: setfit'."
        )
    if missing:
        raise ModelError(
            f"model {checkpoint.name} is not a trained {_TRAINED.get(auto, 'model')}: its weights lack "
            f"{', '.join(missing[:4])}{' and more' if len(missing) > 4 else ''}, which would be random numbers. "
            "Fine-tune it first."
        )
    config = model.config.get_text_config()
    # A causal classifier finds a text's last token by this: it must be what the tokenizer pads with.
    config.pad_token_id = tokenizer.pad_token_id
    # Classification reads once: nothing to remember for a next token.
    config.use_cache, config.return_dict = False, True
    return model.eval().requires_grad_(False)


def load_base(checkpoint: Checkpoint, dtype: Any, auto: str, **config: Any) -> tuple[Any, list[str]]:
    """Load a model to fine-tune. A head that the saved weights lack is initialised at random.

    Args:
        checkpoint: The saved model.
        dtype: A torch dtype.
        auto: The auto class of transformers, such as ``AutoModelForSequenceClassification``.
        **config: Entries of the configuration, such as ``id2label``.

    Raises:
        ModelError: The model cannot be loaded, or the saved weights lack more than a head.
    """
    model, missing, misfits = _pretrained(checkpoint, auto, dtype, **config)
    begun = sorted({*missing, *misfits})
    body = f"{model.base_model_prefix}."
    if lost := [name for name in begun if name.startswith(body) and "pooler" not in name]:
        raise ModelError(
            f"model {checkpoint.name} cannot be fine-tuned: its weights lack {', '.join(lost[:4])}"
            f"{' and more' if len(lost) > 4 else ''}, which is not a head but the model itself."
        )
    return model, begun


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a model (weights as safetensors) and its tokenizer to a folder.

    Raises:
        OSError: The files cannot be written.
    """
    with quiet(library("transformers", extra="huggingface")):
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)


def _pretrained(checkpoint: Checkpoint, auto: str, dtype: Any, **config: Any) -> tuple[Any, list[str], list[str]]:
    """Load a model; return it, the weights that are missing, and those of another shape."""
    transformers = library("transformers", extra="huggingface")
    adapter = checkpoint.adapter
    if adapter is not None:
        library("peft", extra="peft")
        if (classes := trained_classes(adapter)) is not None:
            config = {"num_labels": classes, **config}
    with _loading(transformers, f"model {checkpoint.name}", ""):
        model, found = getattr(transformers, auto).from_pretrained(
            str(checkpoint.folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=dtype,
            ignore_mismatched_sizes=True,  # the callers tell of them, and better
            output_loading_info=True,
            **config,
        )
        brought = set() if adapter is None else set(saved_weights(adapter))
        model = model if adapter is None else merge(model, adapter)
    misfits = {key if isinstance(key, str) else key[0] for key in found["mismatched_keys"]}
    return model, sorted(set(found["missing_keys"]) - brought), sorted(misfits - brought)


@contextmanager
def _loading(transformers: Any, what: str, remedy: str) -> Iterator[None]:
    """Quiet transformers while it loads, and give whatever goes wrong its context."""
    try:
        with quiet(transformers):
            yield
    except Exception as error:  # transformers, tokenizers and safetensors raise anything on a broken file
        if "sentencepiece" in str(error).lower():
            raise ModelError(f"{what} needs sentencepiece: pip install 'robustfim[translation]'.") from error
        if "trust_remote_code" in str(error):
            raise ModelError(f"{what} brings code of its own, which robustfim never runs.") from error
        raise ModelError(f"{what} cannot be loaded: {reason(error)} {remedy}".rstrip()) from error


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Suppress warnings and progress bars of transformers inside the ``with`` block."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as Marian's, of a package that it can do without
            yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
