"""The network of a causal language model, which maps prompts to the log-probabilities of answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from robustfim.errors import ModelError, UsageError
from robustfim.roles import Embedded
from robustfim_checkpoints.folder import Checkpoint
from robustfim_huggingface.causal.branching import Branching, Passage, arrange
from robustfim_huggingface.causal.completion import Answers, Completion
from robustfim_huggingface.causal.reading import PromptReading
from robustfim_huggingface.checkpoint.network import Network

__all__ = ["CausalNetwork"]

LOOKS_AHEAD = 1e-2
"""The change of an earlier logit, relative to the change of the last, above which a model is not causal."""


class CausalNetwork(Network):
    """A causal language model in memory, whose classes are possible answers after a prompt, or groups of answers.

    The logit of a class is log Σ exp s over its answers, with the score s defined in :class:`Answers`. Each token of an
    answer is predicted after the answer's earlier tokens. The input x has the tokens of the prompt and of the answers,
    each once. Tokens of the template and of fixed answers count as special tokens.

    Args:
        checkpoint: The saved model.
        answers: The possible answers after a prompt.
        classes: The number of labels.
        max_length: The largest number of tokens read; None for the model's own limit.
        device: A torch device, or ``auto``.
        dtype: The precision of weights and activations; log-probabilities are in float32 or finer.

    Raises:
        ModelError: The model cannot be loaded, or is not a causal language model.
        UsageError: A fixed answer has no token or an unknown token, or two fixed answers have the same tokens.
    """

    auto = "AutoModelForCausalLM"

    def __init__(
        self,
        checkpoint: Checkpoint,
        *,
        answers: Answers,
        classes: int,
        max_length: int | None,
        device: str,
        dtype: str,
    ) -> None:
        _refuse_others(checkpoint)
        super().__init__(checkpoint, classes=classes, max_length=max_length, device=device, dtype=dtype)
        self._answers = answers
        self._prompts = PromptReading(self.reading.tokenizer, self.reading.limit, self._name)
        self._refuse_lookahead()
        self._fixed = tuple(self._prompts.answer(prompt, answers.anchor) for prompt in answers.fixed)
        self._refuse_alike()

    def complete(self, completions: Sequence[Completion], batch_size: int) -> npt.NDArray[np.float64]:
        """Return probabilities ``[completions, classes]``; a row is NaN if its prompt has no token."""
        rows = np.full((len(completions), self._classes), np.nan)
        for start in range(0, len(completions), batch_size):
            branchings = self._branchings(completions[start : start + batch_size])
            readable = [row for row, branching in enumerate(branchings) if all(stem.ids for stem in branching.stems)]
            if readable:
                _, _, arranged = arrange([branchings[row] for row in readable])
                with torch.inference_mode():
                    logits = self._class_logits(self._on_device(arranged))
                rows[[start + row for row in readable]] = logits.cpu().double().softmax(-1).numpy()
        return rows

    def embed_completions(self, completions: Sequence[Completion]) -> Embedded:
        """Return the input embeddings of a batch, ``[batch, tokens, dims]``."""
        branchings = self._branchings(completions)
        for completion, branching in zip(completions, branchings, strict=True):
            if not all(stem.ids for stem in branching.stems):
                raise ModelError(f"model {self._name}: its tokenizer makes no token of {completion.prompt.text!r}.")
        ids, mask, arranged = arrange(branchings)
        spans = [[span for passage in branching.passages for span in passage.spans] for branching in branchings]
        for row in spans:
            row += [None] * (ids.shape[1] - len(row))
        text = torch.tensor([[span is not None for span in row] for row in spans])
        return Embedded(
            embeddings=self._table(ids.to(self.device)),
            mask=mask.to(self.device),
            special=(mask & ~text).to(self.device),
            spans=spans,
            inputs=self._on_device(arranged),
        )

    def completion_logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Return logits ``[batch, classes]``, float32 or finer."""
        places = embedded.inputs["places"]
        rows = embeddings[torch.arange(len(places), device=places.device)[:, None, None], places].flatten(0, 1)
        ids = embedded.inputs["input_ids"].flatten(0, 1)
        with self._table.exchanged(ids, rows), sdpa_kernel(SDPBackend.MATH):
            return self._class_logits(embedded.inputs)

    def cut(self, completions: Sequence[Completion]) -> list[bool]:
        """Check for each completion whether its prompt is truncated."""
        behind = [self._behind(self._branches(completion)) for completion in completions]
        return self._prompts.overlong([completion.prompt for completion in completions], behind)

    def _branches(self, completion: Completion) -> tuple[Passage, ...]:
        return self._fixed or tuple(self._prompts.answer(answer, self._answers.anchor) for answer in completion.answers)

    def _behind(self, branches: Sequence[Passage]) -> int:
        """Count the tokens that are read behind a prompt: all but an answer's last."""
        return max(len(branch.ids) for branch in branches) - 1

    def _branchings(self, completions: Sequence[Completion]) -> list[Branching]:
        branches = [self._branches(completion) for completion in completions]
        behind = [self._behind(branch) for branch in branches]
        stems = self._prompts.stems([completion.prompt for completion in completions], behind)
        neutral: list[Passage | None] = [None] * len(completions)
        prompts = [completion.neutral for completion in completions if completion.neutral is not None]
        if prompts:
            neutral = [*self._prompts.stems(prompts, behind)]
        return [Branching(*each) for each in zip(stems, branches, neutral, strict=True)]

    def _on_device(self, arranged: dict[str, Tensor]) -> dict[str, Tensor]:
        return {name: tensor.to(self.device) for name, tensor in arranged.items()}

    def _class_logits(self, inputs: dict[str, Tensor]) -> Tensor:
        """Score the answers and collect them by class, ``[batch, classes]``."""
        likelihoods = self._likelihoods(inputs)
        scores = likelihoods[:, 0]
        if self._answers.normalise == "pmi":
            scores = scores - likelihoods[:, 1]
        elif self._answers.normalise == "tokens":
            scores = scores / inputs["counted"][:, 0].sum(-1)
        return torch.stack([scores[:, list(group)].logsumexp(1) for group in self._answers.groups], dim=1)

    def _likelihoods(self, inputs: dict[str, Tensor]) -> Tensor:
        """Return log p(answer | stem), Σ over its tokens, ``[batch, stems, branches]``."""
        targets, counted = inputs["targets"], inputs["counted"]
        step = torch.arange(targets.shape[-1], device=targets.device)
        positions = torch.where(counted, inputs["start"][..., None] + step, inputs["start"][..., None])
        # A vocabulary is large: logits are computed only where some row is read.
        kept, place = torch.unique(positions, return_inverse=True)
        logits = self._logits_at(kept, inputs)
        batch, count = inputs["input_ids"].shape[:2]
        row = torch.arange(batch, device=targets.device)[:, None, None] * count + inputs["row"]
        row = row[..., None].expand_as(targets)
        logits = logits.to(torch.promote_types(logits.dtype, torch.float32))
        log_p = logits[row, place, targets] - logits.logsumexp(-1)[row, place]
        return log_p.masked_fill(~counted, 0).sum(-1)

    def _logits_at(self, positions: Tensor, inputs: dict[str, Tensor]) -> Tensor:
        """Run the model, ``[batch · rows, positions, vocabulary]``."""
        given: dict[str, Any] = {"input_ids": inputs["input_ids"].flatten(0, 1)}
        if "attention_mask" in self._accepted:
            given["attention_mask"] = inputs["attention_mask"].flatten(0, 1)
        if "logits_to_keep" in self._accepted:
            logits: Tensor = self._model(**given, logits_to_keep=positions).logits
            return logits
        return self._model(**given).logits[:, positions]  # type: ignore[no-any-return]  # transformers' types are partial

    def _refuse_lookahead(self) -> None:
        """Change the last of some tokens: no logit before it may change."""
        ids = torch.tensor([[2, 3, 4, 5, 6], [2, 3, 4, 5, 7]], device=self.device)
        with torch.inference_mode():
            logits = self._model(input_ids=ids).logits.float()
        change = (logits[0] - logits[1]).abs().amax(-1)
        if change[:-1].max() > LOOKS_AHEAD * change[-1]:
            raise ModelError(
                f"model {self._name} ({type(self._model).__name__}) sees the words behind the one it predicts, so "
                "it is not a causal language model, such as GPT-2 or Llama."
            )

    def _refuse_alike(self) -> None:
        """Refuse fixed answers that the tokenizer cannot tell apart."""
        unknown = self.reading.tokenizer.unk_token_id
        seen: dict[tuple[int, ...], str] = {}
        for passage, answer in zip(self._fixed, self._answers.fixed, strict=True):
            if unknown in passage.ids:
                raise UsageError(f"model {self._name}: its tokenizer does not know the label word {answer.text!r}.")
            if passage.ids in seen:
                raise UsageError(
                    f"model {self._name}: its tokenizer reads the label words {seen[passage.ids]!r} and "
                    f"{answer.text!r} as the same tokens."
                )
            seen[passage.ids] = answer.text


def _refuse_others(checkpoint: Checkpoint) -> None:
    """Refuse models that transformers would load for this, in part or with a head that was never trained."""
    config = checkpoint.config
    if config.get("is_encoder_decoder"):
        raise ModelError(
            f"model {checkpoint.name} is an encoder-decoder model ({config.get('model_type')}); label words and "
            "likelihoods are read off causal language models, such as GPT-2 or Llama."
        )
    for name in config.get("architectures") or ():
        if (head := name.rpartition("For")[2]) != name and head not in ("CausalLM", "ConditionalGeneration"):
            raise ModelError(
                f"model {checkpoint.name} was trained as {name}, not as a language model. Write 'use: huggingface' "
                "for a sequence classifier, 'use: huggingface/choice' for a multiple choice model."
            )
