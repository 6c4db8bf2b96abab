# ruff: noqa: E501  # the tables below have one case a line
from __future__ import annotations

import re
import typing
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict

from robustfim.contract import INCIDENTAL
from robustfim.errors import DataError, PluginError, SuiteError, UsageError
from robustfim.parts import ExpectationPart, PerturbationPart
from robustfim.plugin.options import build, held, incidental, options_model
from robustfim.roles import Model, Paraphraser
from robustfim.suite.file import SuiteFile


class Kinds:
    """One option of each kind."""

    def __init__(  # type: ignore[no-untyped-def]  # an author may leave a type out
        self,
        count: int = 1,
        rate: float = 0.5,
        either: int | float = 1,
        names: list[str] | None = None,
        kind: Literal["swap", "drop"] = "swap",
        table: dict[str, float] | None = None,
        flag: bool = False,
        untyped=None,
    ) -> None:
        self.options = {key: value for key, value in locals().items() if key != "self"}


class Paths:
    """Paths of both kinds."""

    def __init__(
        self,
        path: Path | None = None,
        place: Path | str = "",
        other: typing.Union[str, Path, None] = None,  # noqa: UP007  # the older spelling
        text: str = "",
        places: list[Path | str] = [],  # noqa: B006  # never changed
    ) -> None:
        self.path, self.place, self.other, self.text, self.places = path, place, other, text, places


class Shared(typing.TypedDict, total=False):
    """Options of several classes."""

    size: int
    from_: str


class Base:
    """What several classes do alike."""

    def __init__(self, *, size: int = 8, from_: str = "here", hidden: int = 0) -> None:
        self.options = (size, from_, hidden)


class Sharing(Base):
    """Takes the shared options, and one of its own."""

    def __init__(self, count: int, **shared: typing.Unpack[Shared]) -> None:
        super().__init__(hidden=count, **shared)


@pytest.fixture
def file(suite_file: Callable[[str], SuiteFile]) -> SuiteFile:
    return suite_file("suite: toy\nmodel:\n  use: toy\n  count: 2\n")


def make(file: SuiteFile, cls: type[Any], **options: Any) -> Any:
    return build(cls, options, "toys", file, ("model",))


def refusal(file: SuiteFile, cls: type[Any], **options: Any) -> str:
    with pytest.raises(UsageError) as caught:
        make(file, cls, **options)
    return str(caught.value).removeprefix(str(file.path))


# ---- kinds --------------------------------------------------------------------------------------------


def test_options_reach_the_class_under_their_names(file: SuiteFile) -> None:
    given = {"count": 3, "rate": 1, "names": ["a"], "kind": "drop", "table": {"a": 1}, "flag": True, "untyped": [1]}
    made = make(file, Kinds, **given).options
    assert made == {**given, "rate": 1.0, "either": 1, "table": {"a": 1.0}}
    assert type(made["rate"]) is float


def test_shared_options_of_a_typed_dictionary_have_the_defaults_of_the_base(file: SuiteFile) -> None:
    assert make(file, Sharing, count=3).options == (8, "here", 3)
    assert make(file, Sharing, **{"count": 3, "size": 4, "from": "there"}).options == (4, "there", 3)
    assert "unknown option 'hidden'. Known: count, size, from." in refusal(file, Sharing, count=3, hidden=1)
    assert "option 'size'" in refusal(file, Sharing, count=3, size="large")


def test_options_that_are_not_given_keep_the_classs_defaults(file: SuiteFile) -> None:
    assert make(file, Kinds).options == Kinds().options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": "x"}, ":4: option 'count': input should be a valid integer, unable to parse string as an integer, not 'x'."),
        ({"count": 1.5}, ":4: option 'count': input should be a valid integer, got a number with a fractional part, not 1.5."),
        ({"count": None}, ":4: option 'count': input should be a valid integer, not None."),
        ({"rate": []}, ":2: option 'rate': input should be a valid number, not []."),
        ({"either": "x"}, ":2: option 'either': input should be a valid integer, unable to parse string as an integer, not 'x'."),
        ({"names": "a"}, ":2: option 'names' must be a list ('[first, second]'), not 'a'."),
        ({"names": ["a", [3]]}, ":2: option 'names.1' must be a text, not [3]; put it in quotes if it is one."),
        ({"names": ["a", False]}, ":2: option 'names.1' must be a text, not False: YAML reads a bare no, off, yes or on as a boolean; put it in quotes; put it in quotes if it is one."),
        ({"kind": "swop"}, ":2: option 'kind': input should be 'swap' or 'drop', not 'swop'."),
        ({"table": {"a": "x"}}, ":2: option 'table.a': input should be a valid number, unable to parse string as a number, not 'x'."),
        ({"flag": "perhaps"}, ":2: option 'flag': input should be a valid boolean, unable to interpret input, not 'perhaps'."),
        ({"name": ["a"]}, ":2: unknown option 'name'. Did you mean 'names'? Known: count, rate, either, names, kind, table, flag, untyped."),
        ({"zzz": 1}, ":2: unknown option 'zzz'. Known: count, rate, either, names, kind, table, flag, untyped."),
    ],
)  # fmt: skip
def test_a_wrong_option_is_refused_with_its_line(file: SuiteFile, options: dict[str, Any], message: str) -> None:
    assert refusal(file, Kinds, **options) == message


def test_a_missing_option_is_refused(file: SuiteFile) -> None:
    class Needy:
        def __init__(self, call: str) -> None: ...

    assert refusal(file, Needy) == ":2: the option 'call' is missing."


def test_a_wrong_key_inside_an_option_is_named_by_its_place(file: SuiteFile) -> None:
    class Row(BaseModel):
        model_config = ConfigDict(extra="forbid")
        text: str

    class Rows:
        def __init__(self, rows: dict[str, Row]) -> None: ...

    Rows.__init__.__annotations__["rows"] = dict[str, Row]
    assert refusal(file, Rows, rows={"a": {"txet": "b"}}) == ":2: unknown key 'rows.a.txet'."
    assert refusal(file, Rows, rows={"a": {}}) == ":2: missing key 'rows.a.text'."


class Plain:
    """No constructor at all."""


def test_a_class_without_a_constructor_has_no_options(file: SuiteFile) -> None:
    assert isinstance(make(file, Plain), Plain)
    assert refusal(file, Plain, words=2) == ":2: unknown option 'words'. Known: none."


def test_a_class_that_takes_any_options_gets_them(file: SuiteFile) -> None:
    class Open:
        def __init__(self, path: str = "", **rest: Any) -> None:
            self.path, self.rest = path, rest

    made = make(file, Open, path="x", top_k=3, deep={"a": 1})
    assert (made.path, made.rest) == ("x", {"top_k": 3, "deep": {"a": 1}})


def test_an_option_may_be_named_like_a_method_of_pydantic(file: SuiteFile) -> None:
    class Shadow:
        def __init__(self, json: str = "", copy: bool = False, model_name: str = "") -> None:
            self.given = (json, copy, model_name)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make(file, Shadow, json="a.json", copy=True, model_name="m").given == ("a.json", True, "m")


# ---- paths --------------------------------------------------------------------------------------------


def test_a_path_starts_from_the_suites_folder(file: SuiteFile, tmp_path: Path) -> None:
    assert make(file, Paths, path="data/a.csv").path == tmp_path / "data/a.csv"
    assert make(file, Paths, path=str(tmp_path / "a.csv")).path == tmp_path / "a.csv"
    assert make(file, Paths).path is None


def test_a_home_folder_is_expanded(file: SuiteFile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert make(file, Paths, path="~/a.csv").path == tmp_path / "home/a.csv"


def test_a_path_from_the_command_line_starts_from_the_current_folder(file: SuiteFile) -> None:
    file.override(("model", "path"), "data/a.csv", "--model path=data/a.csv")
    assert make(file, Paths, path="data/a.csv").path == Path("data/a.csv").absolute()


@pytest.mark.parametrize("option", ["place", "other"])
@pytest.mark.parametrize(
    ("written", "is_path"),
    [
        ("here", True),  # exists beside the suite
        ("bert-base-uncased", False),
        ("org/model", False),
        ("./missing", True),
        ("../missing", True),
        ("/missing", True),
        ("~/missing", True),
    ],
)
def test_a_path_or_a_name_is_a_path_where_it_exists_or_looks_like_one(
    file: SuiteFile, tmp_path: Path, option: str, written: str, is_path: bool
) -> None:
    (tmp_path / "here").mkdir()
    made = getattr(make(file, Paths, **{option: written}), option)
    assert made == (tmp_path / Path(written).expanduser() if is_path else written)
    assert isinstance(made, Path if is_path else str)


def test_paths_and_names_in_a_list_are_told_apart_one_by_one(file: SuiteFile, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    assert make(file, Paths, places=["here", "org/model", "./missing"]).places == [
        tmp_path / "here",
        "org/model",
        tmp_path / "missing",
    ]


def test_a_text_is_no_path_even_where_a_file_has_its_name(file: SuiteFile, tmp_path: Path) -> None:
    (tmp_path / "review").mkdir()
    assert make(file, Paths, text="review").text == "review"


# ---- refusals of the class itself ---------------------------------------------------------------------


class Refusing:
    """Raises what it is told to."""

    def __init__(self, error: str) -> None:
        raise {
            "value": ValueError("norms must be positive"),
            "ends": ValueError("no file ../data.csv."),
            "data": DataError("no column 'text'"),
            "suite": SuiteError("deep inside", path="other.yaml", line=9),
            "type": TypeError("unexpected"),
            "key": KeyError("lost"),
        }[error]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ("value", ":2: norms must be positive. So says Refusing of plugin 'toys'."),
        ("ends", ":2: no file ../data.csv. So says Refusing of plugin 'toys'."),
        ("data", ":2: no column 'text'"),
    ],
)
def test_a_value_that_the_class_refuses_is_a_usage_error_with_its_line(
    file: SuiteFile, error: str, message: str
) -> None:
    assert refusal(file, Refusing, error=error) == message


def test_an_error_that_has_a_line_already_keeps_it(file: SuiteFile) -> None:
    assert refusal(file, Refusing, error="suite") == "other.yaml:9: deep inside"


@pytest.mark.parametrize(("error", "shown"), [("type", "TypeError: unexpected"), ("key", "KeyError: 'lost'")])
def test_any_other_exception_is_the_plugins_fault(file: SuiteFile, error: str, shown: str) -> None:
    with pytest.raises(PluginError, match=re.escape(f"plugin 'toys': Refusing raised {shown}")):
        make(file, Refusing, error=error)


def test_a_signature_that_cannot_be_read_is_the_plugins_fault(file: SuiteFile) -> None:
    class Unresolved:
        def __init__(self, words: "Missing" = 1) -> None: ...  # type: ignore[name-defined]  # noqa: F821, UP037  # what the test is about

    class PositionalOnly:
        def __init__(self, words: int = 1, /) -> None: ...

    class Underscore:
        def __init__(self, _words: int = 1) -> None: ...

    for cls in (Unresolved, PositionalOnly, Underscore):
        with pytest.raises(PluginError, match=f"plugin 'toys': the options of {cls.__name__} cannot be read"):
            make(file, cls)


def test_the_model_of_options_has_one_field_an_argument() -> None:
    fields = options_model(Kinds, "toys").model_fields
    assert list(fields) == ["count", "rate", "either", "names", "kind", "table", "flag", "untyped"]
    assert fields["kind"].default == "swap"
    assert not fields["count"].is_required()


class Sourced:
    def __init__(self, from_: str = "here") -> None:
        self.given = from_


def test_an_argument_named_after_a_word_of_python_is_the_option_without_its_underscore(file: SuiteFile) -> None:
    assert make(file, Sourced, **{"from": "there"}).given == "there"
    assert make(file, Sourced).given == "here"
    assert "unknown option 'from_'. Did you mean 'from'?" in refusal(file, Sourced, from_="there")


def test_a_path_that_no_file_can_have_is_refused_with_its_line(file: SuiteFile) -> None:
    told = refusal(file, Paths, path="x" * 5000)
    assert told.startswith(":2: option 'path': 'xxxx")
    assert told.endswith("is no path: a name in it is longer than 255 bytes.")
    assert len(told) < 300


def test_an_annotation_says_which_options_hold_what_other_plugins_offer() -> None:
    class Made:
        def __init__(
            self, of: list[PerturbationPart], from_: ExpectationPart | None = None, *,
            by: dict[str, Paraphraser] | Paraphraser, others: Sequence[Model], path: Path | None = None, words: int = 1,
        ) -> None: ...  # fmt: skip

    kinds = {"of": "perturbations", "from": "expectations", "by": "paraphrasers", "others": "models"}
    assert held(Made, "made") == kinds
    assert held(object, "made") == {}
    fields = options_model(Made, "made").model_fields
    assert fields["of"].annotation == list[Any]
    assert fields["path"].annotation == Path | None
    assert fields["by"].is_required()


def test_an_annotation_that_cannot_be_read_is_its_plugins_error() -> None:
    class Made:
        def __init__(self, of: "list[Missing]") -> None: ...  # type: ignore[name-defined]  # noqa: F821, UP037  # as meant

    with pytest.raises(PluginError, match="plugin 'made': the options of Made cannot be read: name 'Missing'"):
        held(Made, "made")


@dataclass
class Reach:
    """How something is reached."""

    url: str
    timeout: Annotated[float, INCIDENTAL] = 60.0


class Asking:
    """Asks, with options that decide no text."""

    def __init__(self, reach: Reach | None = None, batch: Annotated[int, INCIDENTAL] = 1, field: str = "") -> None:
        self.options = reach, batch, field


def test_an_option_that_decides_no_text_says_so_in_its_annotation() -> None:
    assert list(incidental(Asking, "asking")) == ["reach.timeout", "batch"]
    assert list(incidental(Kinds, "kinds")) == []
