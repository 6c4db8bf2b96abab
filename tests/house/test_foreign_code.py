"""Code that comes with a model is never run, nor is anybody asked whether to: transformers asks where none says so."""

from __future__ import annotations

import ast

from tests.house.tree import PLUGINS, parsed, python_files, shown


def asking(tree: ast.Module) -> list[str]:
    """The calls that load something of transformers and do not refuse the code beside it."""
    return [
        ast.unparse(call.func)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "from_pretrained"
        and not any(
            keyword.arg == "trust_remote_code"
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value is False
            for keyword in call.keywords
        )
    ]


def test_every_model_is_loaded_without_the_code_beside_it() -> None:
    found = {shown(path): calls for path in python_files(PLUGINS) if (calls := asking(parsed(path)))}
    assert found == {"plugins/robustfim_checkpoints/adapter.py": ["peft.PeftModel.from_pretrained"]}, (
        "weights that are put into a model that is loaded already"
    )


def test_a_call_that_would_ask_is_found() -> None:
    source = "A.from_pretrained(p, trust_remote_code=False)\nB.from_pretrained(p)\nC.from_pretrained(p, **settings)\n"
    assert asking(ast.parse(source)) == ["B.from_pretrained", "C.from_pretrained"]
