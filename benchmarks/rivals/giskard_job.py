"""The job in Giskard; run by the interpreter of its environment, in the folder with the texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import giskard  # type: ignore[import-not-found]  # in another environment
import pandas as pd
from fitted import fitted, rows  # type: ignore[import-not-found]  # copied beside the texts

if __name__ == "__main__":
    pipeline, given = fitted(), rows()
    originals = {each["text"] for each in given}
    changed = 0

    def probabilities(frame: Any) -> Any:
        """Answer what Giskard asks: of each kind of change the texts as they were, and as they are then."""
        global changed
        changed += sum(text not in originals for text in frame["text"])
        return pipeline.predict_proba(frame["text"])

    data = giskard.Dataset(pd.DataFrame(given), target="label", column_types={"text": "text"})
    labels = list(pipeline.classes_)
    model = giskard.Model(
        probabilities, model_type="classification", classification_labels=labels, feature_names=["text"]
    )
    found = giskard.scan(model, data, only="text_perturbation", verbose=False)
    for issue in found.issues:
        print(issue.description)
    Path("giskard.txt").write_text(str(changed), encoding="utf-8")
