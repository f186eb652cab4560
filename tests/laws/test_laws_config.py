"""The parameters of Pliant's laws: each has the name, the class and the place of its law."""

from pliant.laws import LAWS, LawsConfig


def test_the_field_of_a_law_has_its_name() -> None:
    assert list(LawsConfig.model_fields) == [law.name for law in LAWS]


def test_the_field_of_a_law_has_its_parameters() -> None:
    for field, law in zip(LawsConfig.model_fields.values(), LAWS, strict=True):
        assert field.metadata == [law]
        assert field.annotation is law.Config
        assert type(field.default) is law.Config
