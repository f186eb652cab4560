"""`pliant console`: mistakes that it reports before it listens."""

import pytest

from pliant.cli import main


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--robot", "sim:nothing"], "unknown arm 'nothing'; valid: "),
        (["--robot", "sim:ur5e/nowhere"], "unknown scene 'nowhere'; valid: "),
        (["--robot", "nothing"], "unknown robot 'nothing'; valid: sim:"),
        (["--port", "99999"], "--port must be 0 to 65535"),
        (["--heartbeat", "0"], "--heartbeat must be 0.1 to 10 s"),
        (["--host", "203.0.113.1"], "cannot listen on 203.0.113.1 port 8090"),
        (["--attach", "nobody"], "unknown controller 'nobody'"),
        (["--attach", "a", "b"], "--attach takes one name"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(arguments, message, monkeypatch, tmp_path):
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["console", *arguments])
    assert str(ended.value).startswith(f"pliant: {message}")
