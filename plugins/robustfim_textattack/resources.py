"""Resources of TextAttack's components, such as models and data: whether they are here, and how to fetch them."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from robustfim.errors import SkipCheck

__all__ = ["Resource", "nltk_folders", "require", "textattack_cache"]

_TFHUB = "https://tfhub.dev/google/"

_WHERE = {
    "counter-fitted": "word_embeddings/paragramcf",
    "hownet": "transformations/hownet/word_candidates_sense.pkl",
    "google-lm": "constraints/semantics/language-models/alzantot-goog-lm",
    "learning-to-write": "constraints/grammaticality/language-models/learning-to-write",
    "infersent": "constraints/semantics/sentence-encoders/infersent-encoder",
}
"""Folders of TextAttack's own cache, by what they hold."""

_FETCHES = {
    "counter-fitted": "from textattack.shared import WordEmbedding as E; E.counterfitted_GLOVE_embedding()",
    "hownet": "from textattack.transformations import WordSwapHowNet; WordSwapHowNet()",
    "google-lm": "from textattack.shared.utils import download_from_s3 as d; "
    "d('constraints/semantics/language-models/alzantot-goog-lm')",
    "learning-to-write": "from textattack.constraints.grammaticality.language_models import "
    "LearningToWriteLanguageModel as L; L(max_log_prob_diff=1)",
    "infersent": "from textattack.constraints.semantics.sentence_encoders import InferSent; InferSent()",
}

_SHOWN = {
    "counter-fitted": "the counter-fitted word vectors",
    "hownet": "TextAttack's HowNet table",
    "google-lm": "Google's language model",
    "learning-to-write": "the Learning to Write language model",
    "infersent": "InferSent and its word vectors",
    "homoglyphs": "Unicode's intentional confusables",
    "openhownet": "OpenHowNet's data",
    "languagetool": "LanguageTool and Java",
}

_SENTENCES = {
    "large=False": "/3",
    "large=True": "-large/5",
    "multilingual-large=False": "-multilingual/3",
    "multilingual-large=True": "-multilingual-large/3",
}
"""The versions of the Universal Sentence Encoder."""

_NAMES = {"en": "flair/ner-english", "fra": "flair/ner-french", "french": "flair/ner-french"}
"""The taggers of names that TextAttack uses, by language; one for all others."""


@dataclass(frozen=True)
class Resource:
    """A model, package or data set that a part of TextAttack needs but that is not installed with it.

    Attributes:
        kind: ``nltk`` (a package of NLTK's data), ``hub`` (a model of the Hugging Face hub, or a folder), ``flair`` (a
            flair tagger), ``tfhub`` (a model of TensorFlow Hub), ``package`` (a Python package), or ``data`` (other
            data).
        name: The name of the model, package or data.
    """

    kind: str
    name: str

    @classmethod
    def parse(cls, text: str) -> Resource | None:
        """Parse an entry of :attr:`Component.needs`; return None if the option's value needs no resource.

        Args:
            text: ``"kind:name"``. Three further kinds depend on an option: ``ner`` (flair's tagger of names for a
                language), ``sentences`` (the sentence encoder of a size), and ``characters`` (only ``homoglyphs`` needs
                data).
        """
        kind, _, name = text.partition(":")
        if kind == "characters":
            return cls("data", name) if name == "homoglyphs" else None
        if kind == "sentences":
            return cls("tfhub", f"universal-sentence-encoder{_SENTENCES[name]}")
        if kind == "ner":
            return cls("flair", _NAMES.get(name, "flair/ner-multi-fast"))
        return cls(kind, name)

    @property
    def shown(self) -> str:
        """The name of the resource in a sentence."""
        match self.kind:
            case "nltk":
                return f"{self.name.rpartition('/')[2]} (NLTK)"
            case "hub" | "flair":
                return f"{self.name} (hub)"
            case "tfhub":
                return "the Universal Sentence Encoder"
            case "package":
                return f"{self.name} (pip)"
            case _:
                return _SHOWN[self.name]

    @property
    def fetch(self) -> str:
        """The command that fetches the resource."""
        match self.kind:
            case "nltk":
                return f"python -m nltk.downloader {self.name.rpartition('/')[2]}"
            case "hub":
                return f"hf download {self.name}"
            case "flair":
                return _python(f"from flair.models import SequenceTagger; SequenceTagger.load('{self.name}')")
            case "tfhub":
                return _python(f"import tensorflow_hub; tensorflow_hub.load('{_TFHUB}{self.name}')")
            case "package":
                return f"pip install {self.name}"
            case _:
                if self.name == "homoglyphs":  # TextAttack's package lacks the file that it reads
                    return f"curl -o '{_homoglyphs()}' https://www.unicode.org/Public/security/latest/intentional.txt"
                if self.name == "openhownet":
                    return _python("import OpenHowNet; OpenHowNet.download()")
                if self.name == "languagetool":
                    return "install Java 17 and run " + _python(
                        "import language_tool_python as l; l.LanguageTool('en')"
                    )
                return _python(_FETCHES[self.name])

    @property
    def present(self) -> bool:
        """Whether the resource is on this machine. Nothing is loaded."""
        match self.kind:
            case "nltk":
                places = [folder / self.name for folder in nltk_folders()]
                return any(place.exists() or place.with_name(f"{place.name}.zip").exists() for place in places)
            case "hub":
                return _model_is_here(self.name)
            case "flair":
                root = Path(os.environ.get("FLAIR_CACHE_ROOT", Path.home() / ".flair"))
                return any((root / "models" / self.name.rpartition("/")[2]).rglob("pytorch_model.bin"))
            case "tfhub":
                cache = os.environ.get("TFHUB_CACHE_DIR") or str(Path(tempfile.gettempdir()) / "tfhub_modules")
                # The name of a module's folder in the cache of TensorFlow Hub.
                digest = hashlib.sha1(f"{_TFHUB}{self.name}".encode(), usedforsecurity=False).hexdigest()
                return (Path(cache) / digest).is_dir()
            case "package":
                return importlib.util.find_spec(self.name) is not None
            case _:
                return _data_is_here(self.name)


def require(name: str, needed: Iterable[Resource]) -> None:
    """Skip the check if a resource is missing.

    Raises:
        SkipCheck: A resource is missing. The message has the commands that fetch the missing resources.
    """
    missing = [resource for resource in needed if not resource.present]
    if missing:
        what = " and ".join(dict.fromkeys(resource.shown for resource in missing))
        how = "; ".join(dict.fromkeys(resource.fetch for resource in missing))
        raise SkipCheck(f"{name} needs {what}, not found on this machine. To fetch: {how}")


def nltk_folders() -> list[Path]:
    """Return the folders in which NLTK searches for data, in the order of NLTK's search.

    Before NLTK is imported, these are the folders that NLTK will search.
    """
    if "nltk.data" in sys.modules:
        return [Path(each) for each in sys.modules["nltk.data"].path]
    named = [Path(each) for each in os.environ.get("NLTK_DATA", "").split(os.pathsep) if each]
    inside = [Path(sys.prefix, *parts, "nltk_data") for parts in ((), ("share",), ("lib",))]
    system = [Path(each) for each in ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib")]
    return [*named, Path.home() / "nltk_data", *inside, *(folder / "nltk_data" for folder in system)]


def textattack_cache() -> Path:
    """Return the folder in which TextAttack stores its downloads."""
    return Path(os.environ.get("TA_CACHE_DIR", Path.home() / ".cache" / "textattack"))


def _model_is_here(name: str) -> bool:
    """Look for a folder, or for a name in the cache of the hub."""
    if Path(name).is_dir():
        return True
    if name.startswith((".", "/", "~")) or name.count("/") > 1 or importlib.util.find_spec("huggingface_hub") is None:
        return False
    from huggingface_hub import try_to_load_from_cache

    return isinstance(try_to_load_from_cache(name, "config.json"), str)


def _homoglyphs() -> Path:
    spec = importlib.util.find_spec("textattack")
    return Path(spec.origin if spec and spec.origin else "textattack").parent / "shared" / "intentional_homoglyphs.txt"


def _data_is_here(name: str) -> bool:
    if name == "homoglyphs":
        return _homoglyphs().is_file()
    if name == "openhownet":
        return (Path.home() / ".openhownet" / "resources").is_dir()
    if name == "languagetool":
        cache = Path(os.environ.get("LTP_PATH", Path.home() / ".cache" / "language_tool_python"))
        return shutil.which("java") is not None and any(cache.glob("LanguageTool-*"))
    return (textattack_cache() / _WHERE[name]).exists()


def _python(code: str) -> str:
    return f'python -c "{code}"'
