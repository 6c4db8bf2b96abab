"""Loading a checkpoint with transformers: safetensors only, nobody's code, no missing head."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from robustfim.errors import ModelError
from robustfim_huggingface.checkpoint import Checkpoint
from robustfim_huggingface.library import library, reason

__all__ = ["load_model", "load_tokenizer"]

_VOCABULARIES = ("tokenizer.json", "tokenizer_config.json", "vocab.txt", "vocab.json", "*.model", "vocab.*")


def load_tokenizer(checkpoint: Checkpoint) -> Any:
    """Load the tokenizer, and see to it that it can pad.

    Raises:
        ModelError: There is none, it cannot be loaded, or it has no token to pad with.
    """
    transformers = library("transformers", extra="huggingface", error=ModelError)
    remedy = "Save it beside the model: AutoTokenizer.from_pretrained(…).save_pretrained(folder)."
    if not any(any(checkpoint.folder.glob(pattern)) for pattern in _VOCABULARIES):
        raise ModelError(f"model {checkpoint.name} has no tokenizer. {remedy}")
    with _loading(transformers, f"the tokenizer of model {checkpoint.name}", remedy):
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(checkpoint.folder), local_files_only=True, trust_remote_code=False
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
    """Load the model for evaluation, its weights frozen.

    Args:
        checkpoint: Where it is.
        dtype: A torch dtype.
        tokenizer: Its tokenizer, for the token it pads with.
        auto: The class of transformers that knows the architectures.

    Raises:
        ModelError: It cannot be loaded, or the saved weights lack some of it.
    """
    transformers = library("transformers", extra="huggingface", error=ModelError)
    with _loading(transformers, f"model {checkpoint.name}", ""):
        model, found = getattr(transformers, auto).from_pretrained(
            str(checkpoint.folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=dtype,
            ignore_mismatched_sizes=True,  # told below, and better
            output_loading_info=True,
        )
    if misfits := sorted(each if isinstance(each, str) else each[0] for each in found["mismatched_keys"]):
        raise ModelError(
            f"model {checkpoint.name}: config.json does not fit the weights: {', '.join(misfits[:4])} would have "
            "another shape. Does it name as many labels as the model was trained on?"
        )
    if missing := sorted(found["missing_keys"]):
        raise ModelError(
            f"model {checkpoint.name} is no trained classifier: its weights lack {', '.join(missing[:4])}"
            f"{' and more' if len(missing) > 4 else ''}, which would be random numbers. Fine-tune it first."
        )
    config = model.config.get_text_config()
    # A causal classifier finds a text's last token by this: it must be what the tokenizer pads with.
    config.pad_token_id = tokenizer.pad_token_id
    # Classification reads once: nothing to remember for a next token.
    config.use_cache, config.return_dict = False, True
    return model.eval().requires_grad_(False)


@contextmanager
def _loading(transformers: Any, what: str, remedy: str) -> Iterator[None]:
    """Quiet transformers while it loads, and give whatever goes wrong its context."""
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    except Exception as error:  # transformers, tokenizers and safetensors raise anything on a broken file
        if "trust_remote_code" in str(error):
            raise ModelError(f"{what} brings code of its own, which robustfim never runs.") from error
        raise ModelError(f"{what} cannot be loaded: {reason(error)} {remedy}".rstrip()) from error
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
