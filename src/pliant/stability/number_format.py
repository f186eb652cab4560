"""Number formatting for messages."""


def plain(value: float) -> str:
    """Format a number with three significant digits and without an exponent."""
    return f"{float(f'{value:.3g}'):.12g}"
