"""Figures as people read them."""


def plain(value: float) -> str:
    """Rounded to three digits, and never with an exponent."""
    return f"{float(f'{value:.3g}'):.12g}"
