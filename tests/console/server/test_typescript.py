"""The page's types and constants are generated from the server's."""

from pliant.console.server.messages import Messages
from pliant.console.server.typescript import generate


def test_the_generated_types_are_up_to_date() -> None:
    for path, text in generate().items():
        assert path.read_text() == text, "run: python -m pliant.console.server.typescript"


def test_every_message_is_there() -> None:
    text = "".join(generate().values())
    for kind in (*Messages.from_page, *Messages.from_server):
        assert f"export interface {kind.__name__} {{" in text
        assert f'  type: "{kind.model_fields["type"].default}";' in text
    # an optional and a required field
    assert "  seconds?: number;" in text
    assert "  wrench_W: [number, number, number, number, number, number];" in text
