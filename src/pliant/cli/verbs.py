"""The verbs of the command line: the module of each, and what it does."""

import tyro

CONFIG = (tyro.conf.FlagCreatePairsOff,)
"""How options are written: a flag has no opposite."""

VERBS = {
    "task": ("pliant.cli.task", "Run a task on a simulated arm."),
    "sweep": ("pliant.cli.sweep", "Try a task many times, over ranges of its parameters."),
    "tune": ("pliant.cli.tune", "Find parameters of a task by trials, and test them on others."),
    "control": ("pliant.cli.control", "Control an arm in real time by lines on standard input."),
    "record": ("pliant.cli.record", "Record a running controller to a file."),
    "joints": ("pliant.cli.joints", "Watch the joints of a running controller."),
    "sequence": ("pliant.cli.sequence", "Move joints through a sequence of postures."),
    "status": ("pliant.cli.status", "List the running controllers."),
    "info": ("pliant.cli.info", "Summarize a recording."),
    "plot": ("pliant.cli.plot", "Plot a recording, or compare two."),
    "export": ("pliant.cli.export", "Export a recording to CSV, Parquet or NumPy."),
    "recompute": ("pliant.cli.recompute", "Recompute a recording and compare bit for bit."),
    "commands": ("pliant.cli.commands", "List the commands of the line protocol."),
    "scenes": ("pliant.cli.scenes", "List the simulated arms and scenes."),
    "presets": ("pliant.cli.list_presets", "List the presets: gains, and whole controllers."),
    "bench": ("pliant.cli.bench", "Measure the speed of the loop."),
    "config": ("pliant.cli.config", "Print the configuration as YAML, or check a file."),
    "console": ("pliant.cli.console", "Watch and command an arm in the browser."),
    "columns": ("pliant.cli.columns", "List the columns of a tick."),
    "identify": ("pliant.cli.identify", "Measure the tool's weight, the servo lag or a surface."),
    "suggest": ("pliant.cli.suggest", "Suggest stable gains for a lag and a range of surfaces."),
    "completion": ("pliant.cli.completion", "Print the script that completes by the Tab key."),
    "virtual": ("pliant.cli.virtual", "Run a virtual UR or FR3 that clients take for real."),
    "doctor": ("pliant.cli.doctor", "Check machine, arm, sensor and gains before a run."),
}
