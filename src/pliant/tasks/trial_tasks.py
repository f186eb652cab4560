"""The tasks that can be swept, by name."""

from pliant.errors import UnknownNameError
from pliant.tasks.guiding_trial import GUIDE
from pliant.tasks.insertion.insertion_trial import INSERTION
from pliant.tasks.pressing_trial import PRESS
from pliant.tasks.retracting_trial import RETRACT
from pliant.tasks.sliding_trial import SLIDE
from pliant.tasks.trial_task import TrialTask

TRIAL_TASKS: dict[str, TrialTask] = {
    task.name: task for task in (INSERTION, PRESS, SLIDE, GUIDE, RETRACT)
}


def trial_task(name: str) -> TrialTask:
    """A task by its name.

    Raises:
        UnknownNameError: There is no such task; the error lists the valid names.
    """
    if name not in TRIAL_TASKS:
        raise UnknownNameError("task", name, sorted(TRIAL_TASKS))
    return TRIAL_TASKS[name]
