"""Load pretrained networks of transformers from a folder or the hub: safetensors only, without remote code."""

from __future__ import annotations

import hashlib
import importlib
import os
import textwrap
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robustfim.errors import ModelError, UsageError, did_you_mean

__all__ = ["Pretrained", "check_folder", "load"]


@dataclass(frozen=True)
class Pretrained:
    """A pretrained transformers network in memory, in evaluation mode.

    Attributes:
        name: The name or folder that the user gave.
        tokenizer: The network's tokenizer.
        model: The network.
        device: The device on which the network computes.
        digest: The hub's commit, or a hash of the files of the folder, 12 hexadecimal digits.
        longest: The largest number of tokens that the network reads, including special tokens.
    """

    name: str
    tokenizer: Any
    model: Any
    device: Any
    digest: str
    longest: int

    def reads(self, text: str) -> bool:
        """Return whether the network can read the whole text: it is not too long, and has no broken characters."""
        try:
            text.encode()
        except UnicodeEncodeError:
            return False
        # A text of such a length need not be split to be known.
        if len(text) > 64 * self.longest:
            return False
        return 0 < len(self.tokenizer(text, verbose=False)["input_ids"]) <= self.longest


def check_folder(name: Path | str, option: str) -> None:
    """Check, without importing anything, that a folder holds a saved network; a name on the hub is not looked up.

    Raises:
        UsageError: The folder does not exist, holds no network, or holds pickled weights only.
    """
    folder = Path(name)
    if not isinstance(name, Path) and not folder.is_dir():
        return
    if not folder.is_dir():
        near = [path.name for path in folder.parent.iterdir()] if folder.parent.is_dir() else []
        raise UsageError(f"{option}: no folder {folder}.{did_you_mean(folder.name, near)}")
    there = sorted(path.name for path in folder.iterdir())
    if "config.json" not in there:
        raise UsageError(
            f"{option}: {folder} is not a saved model: it has no config.json. It holds: "
            f"{', '.join(there[:12]) or 'nothing'}."
        )
    if not any(each.endswith((".safetensors", ".safetensors.index.json")) for each in there):
        raise UsageError(
            f"{option}: {folder} has no model.safetensors. Pickled weights, such as pytorch_model.bin, are never "
            "loaded, because they can run code: convert them once with save_pretrained."
        )


def load(architecture: str, name: Path | str, *, option: str, device: str, dtype: str, offline: bool) -> Pretrained:
    """Load a tokenizer and a network.

    Args:
        architecture: The class of transformers that loads the network, such as ``AutoModelForSeq2SeqLM``.
        name: A folder, or a name on the hub.
        option: The option that gave the name, for error messages.
        device: ``auto``, ``cpu``, ``cuda``, ``cuda:1``, ``mps``.
        dtype: The precision of weights and activations.
        offline: Whether downloads are forbidden.

    Raises:
        UsageError: The folder is missing or not a saved network.
        ModelError: A library or the network is missing, or the weights belong to another kind of network.
    """
    check_folder(name, option)
    torch, transformers = (_library(each) for each in ("torch", "transformers"))
    place = _device(torch, device)
    local = offline or Path(name).is_dir() or _is_offline()
    logging = transformers.utils.logging
    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as Marian's, of a package that it can do without
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(name), local_files_only=local, trust_remote_code=False
            )
        model, found = getattr(transformers, architecture).from_pretrained(
            str(name),
            local_files_only=local,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=getattr(torch, dtype),
            output_loading_info=True,
        )
    except Exception as error:  # transformers, the hub's client, tokenizers and safetensors raise anything
        why = _reason(error, local=local)
        raise ModelError(f"{option}: the model {str(name)!r} cannot be loaded: {why}") from error
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
    if missing := [key for key in sorted(found["missing_keys"]) if "pooler" not in key]:
        raise ModelError(
            f"{option}: the weights of {str(name)!r} lack {missing[0]}, which would be random numbers. It takes a "
            f"model that {architecture} reads whole."
        )
    return Pretrained(
        str(name), tokenizer, model.to(place).eval().requires_grad_(False), place, _digest(name, model),
        _longest(tokenizer, model.config),
    )  # fmt: skip


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ModelError(f"the library {error.name!r} is missing: pip install 'robustfim[huggingface]'.") from error


def _reason(error: BaseException, *, local: bool) -> str:
    """Tell in a line what went wrong, and the way out."""
    text = str(error)
    if "sentencepiece" in text.lower():
        return "its tokenizer needs sentencepiece: pip install 'robustfim[translation]'."
    if "trust_remote_code" in text:
        return "it brings code of its own, which robustfim never runs."
    if local and isinstance(error, OSError) and "offline" in text + type(error).__name__.lower():
        return "it is not on this machine, and nothing may be fetched. Name a folder, or run once without --offline."
    first = textwrap.shorten(text, 240, placeholder=" …")
    return f"{type(error).__name__}: {first}"


def _is_offline() -> bool:
    """Whether the environment forbids fetching; the hub's own client reads it only when imported."""
    values = (os.environ.get("HF_HUB_OFFLINE"), os.environ.get("TRANSFORMERS_OFFLINE"))
    return any((value or "").upper() in {"1", "ON", "YES", "TRUE"} for value in values)


def _device(torch: Any, name: str) -> Any:
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:  # torch without CUDA asserts
        raise ModelError(f"device {name!r} cannot be used: {error}. 'device: auto' takes what there is.") from error
    return device


def _longest(tokenizer: Any, config: Any) -> int:
    """Tokens a network reads: what its tokenizer says, and its table of positions less those before the first."""
    known = [tokenizer.model_max_length]  # astronomical where it is not known
    if (positions := getattr(config, "max_position_embeddings", None)) is not None:
        offset = config.pad_token_id + 1 if config.model_type in _AFTER_PADDING else 0
        known.append(positions - offset)
    return int(min(known))


_AFTER_PADDING = frozenset(["roberta", "xlm-roberta", "camembert", "xlm-roberta-xl", "longformer", "mpnet"])
"""Architectures whose positions are counted from behind the padding token's."""


def _digest(name: Path | str, model: Any) -> str:
    if not Path(name).is_dir():
        return str(getattr(model.config, "_commit_hash", None) or "unknown")[:12]
    whole = hashlib.sha256()
    for path in sorted(Path(name).iterdir()):
        if path.is_file():
            with path.open("rb") as file:
                whole.update(f"{path.name}\0{hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return whole.hexdigest()[:12]
