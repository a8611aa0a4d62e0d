"""What each model's tokens come to, learnt from what its provider reported of the latest calls; apart
from the house so that it can be asked with any store.

Nothing is stored for it: the calls themselves are the memory, read once and kept for this process.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from huaben.domain.budget import Estimator, Sample, calibrated, estimate_tokens
from huaben.ports import CallRecord
from huaben.ports.reading import LogReads

LATEST = 8
"""Calls of a project that are looked at."""
KEPT = 64
"""Samples that are kept of a model."""
PURPOSE = "story"


class Gauge:
    """The samples of every model that this process has met."""

    def __init__(self) -> None:
        self._samples: dict[str, OrderedDict[str, Sample | None]] = {}

    async def estimator(self, store: LogReads, project_id: str, model: str) -> Estimator:
        """How a model's tokens are counted, after a look at the project's latest calls. Until one
        of any project has been reported it is the plain estimate."""
        kept = self._samples.setdefault(model, OrderedDict())
        for record in reversed(await self._unknown(store, project_id, model)):
            kept[record.id] = await _sample(store, record)
        while len(kept) > KEPT:
            kept.popitem(last=False)
        return calibrated(sample for sample in kept.values() if sample is not None)

    async def _unknown(self, store: LogReads, project_id: str, model: str) -> Sequence[CallRecord]:
        latest = await store.latest_calls(project_id, PURPOSE, LATEST)
        known = self._samples[model]
        same = [record for record in latest if record.model == model and record.state == "done"]
        return [record for record in same if record.id not in known]


async def _sample(store: LogReads, record: CallRecord) -> Sample | None:
    reported = record.usage.prompt
    request = await store.request(record.id) if reported else None
    if request is None or reported is None:
        return None
    return Sample(estimate_tokens(request.body.decode("utf-8", "replace")), reported)
