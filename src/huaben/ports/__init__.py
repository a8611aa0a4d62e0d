"""What the engine needs of the outside, as small Protocols; adapters and fakes implement them.

The store has **one write verb**, `commit`: a transaction over rows, events and due jobs, refused as
a whole (a value, `Stale`) when any expectation does not hold. Reads are separate and small.
"""

from huaben.ports.jobs import (
    Action,
    Jobs,
    Step,
    Work,
)
from huaben.ports.outside import (
    Clock,
    Ids,
    Model,
    Objects,
)
from huaben.ports.reading import (
    CallRecord,
    DueJob,
    JobReads,
    LibraryReads,
    LoggedEvent,
    LoggedProjectEvent,
    LogReads,
    Page,
    Store,
    StoryReads,
    Thing,
)
from huaben.ports.writing import (
    Binned,
    CallClosed,
    CallOpened,
    Commit,
    Committed,
    Due,
    DueDone,
    Effect,
    Fence,
    Head,
    Key,
    Kind,
    Purged,
    Row,
    Stale,
    TrashKind,
    Visit,
)

__all__ = [
    "Action",
    "Binned",
    "CallClosed",
    "CallOpened",
    "CallRecord",
    "Clock",
    "Commit",
    "Committed",
    "Due",
    "DueDone",
    "DueJob",
    "Effect",
    "Fence",
    "Head",
    "Ids",
    "JobReads",
    "Jobs",
    "Key",
    "Kind",
    "LibraryReads",
    "LogReads",
    "LoggedEvent",
    "LoggedProjectEvent",
    "Model",
    "Objects",
    "Page",
    "Purged",
    "Row",
    "Stale",
    "Step",
    "Store",
    "StoryReads",
    "Thing",
    "TrashKind",
    "Visit",
    "Work",
]
