"""The page's types and constants are generated from the server's."""

from pliant.console.server.messages import Messages
from pliant.console.server.typescript import (
    CONSTANTS,
    TYPES,
    generate_constants,
    generate_types,
)


def test_the_generated_types_are_up_to_date() -> None:
    run = "run: python -m pliant.console.server.typescript"
    assert TYPES.read_text() == generate_types(), run
    assert CONSTANTS.read_text() == generate_constants(), run


def test_every_message_is_there() -> None:
    text = generate_types()
    for kind in (*Messages.from_page, *Messages.from_server):
        assert f"export interface {kind.__name__} {{" in text
        assert f'  type: "{kind.model_fields["type"].default}";' in text
    # an optional and a required field
    assert "  seconds?: number;" in text
    assert "  wrench_W: [number, number, number, number, number, number];" in text
