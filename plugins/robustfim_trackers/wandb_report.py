"""The report ``wandb``, which logs a run to a Weights & Biases project."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Literal

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.whole_file import write_json
from robustfim_trackers.tracked import COLUMNS, run_file, tracked

__all__ = ["WandbReport"]


class WandbReport:
    """Logs a run to Weights & Biases: a configuration, numbers as a summary, and a table of failing texts.

    Args:
        path: The file that gets the id of the tracker's run, or the file's folder; ``wandb.json`` in the suite's report
            folder when None.
        project: The project.
        entity: The user or team of the project; when None the default of the logged-in user.
        mode: ``offline`` writes the run beside the file, for ``wandb sync`` to send later; ``online`` sends the run at
            once.
    """

    libraries: ClassVar = {"wandb": "robustfim[trackers]"}

    def __init__(
        self,
        path: Path | None = None,
        project: str = "robustfim",
        entity: str | None = None,
        mode: Literal["offline", "online"] = "offline",
    ) -> None:
        self.path, self.project, self.entity, self.mode = path, project, entity, mode

    def write(self, record: Record, folder: Path) -> Path:
        """Log the run, and write the id of the tracker's run to a file.

        Raises:
            UsageError: Weights & Biases refuses the run, or cannot be reached.
        """
        import wandb

        told = tracked(record)
        target = run_file(self.path, folder, "wandb.json")
        target.parent.mkdir(parents=True, exist_ok=True)
        # What a record does not tell of this machine, its host, user and code, is told to no tracker either.
        settings = wandb.Settings(
            silent=True, console="off", disable_git=True, disable_code=True, save_code=False, x_save_requirements=False,
            x_disable_meta=True, x_disable_stats=True, x_disable_machine_info=True, host="", program="",
            root_dir=str(target.parent),
        )  # fmt: skip
        try:
            run = wandb.init(
                project=self.project, entity=self.entity, name=told.name, group=told.suite, mode=self.mode,
                dir=str(target.parent), config=told.settings, reinit="create_new", settings=settings,
            )  # fmt: skip
            run.log({"failures": wandb.Table(columns=list(COLUMNS), data=[list(row) for row in told.rows])})
            run.summary.update(told.numbers)
            place = Path(run.dir).parent
            run.finish()
        except (wandb.Error, OSError) as error:
            raise UsageError(f"Weights & Biases cannot be written to: {str(error).splitlines()[0]}") from error
        held = {"folder": place.relative_to(target.parent.absolute()).as_posix()} if self.mode == "offline" else {}
        return write_json(target, {"project": self.project, "run_id": run.id, "mode": self.mode, **held})
