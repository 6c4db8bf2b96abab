from __future__ import annotations

import getpass
import platform
import socket
from importlib import metadata
from pathlib import Path

import robustfim
from robustfim.record import PluginRecord
from robustfim.record.environment import describe_environment


def test_versions_are_those_that_are_installed() -> None:
    described = describe_environment([PluginRecord(name="toy", sha256="0" * 64)], None)
    assert described.robustfim == robustfim.__version__ == metadata.version("robustfim")
    assert described.python == platform.python_version()
    assert described.packages["numpy"] == metadata.version("numpy")
    assert described.plugins == [PluginRecord(name="toy", sha256="0" * 64)]
    assert described.device is None


def test_a_device_is_described_by_its_name() -> None:
    class Device:
        def __str__(self) -> str:
            return "cuda:0"

    assert describe_environment([], Device()).device == "cuda:0"


def test_neither_user_nor_host_nor_folder_is_described() -> None:
    text = describe_environment([], "cpu").model_dump_json()
    for private in (socket.gethostname(), str(Path.cwd()), str(Path.home()), f'"{getpass.getuser()}"'):
        assert private not in text
