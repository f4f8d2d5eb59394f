"""Whether JSON is of a type of a client, with nothing left out and nothing added."""

import typing

import pydantic
from pydantic_core import SchemaValidator


def problems(kind: type, value) -> list[str]:
    """Why a value is not of this type, which is a model of pydantic's or a TypedDict."""
    try:
        if isinstance(kind, type) and issubclass(kind, pydantic.BaseModel):
            return list(unknown(kind.model_validate(value), value, ""))
        strict_params(kind).validate_python(value)
        return []
    except pydantic.ValidationError as error:
        return [line(one) for one in error.errors(include_url=False, include_input=False)]


def line(error: dict) -> str:
    where = ".".join(str(one) for one in error["loc"])
    return f"{where}: {error['msg']}"


def strict_params(kind) -> SchemaValidator:
    """A validator in which nothing takes a key that it does not name, and every list is read."""

    def strict(node):
        if isinstance(node, dict):
            node = {key: strict(value) for key, value in node.items()}
            if node.get("type") in ("typed-dict", "model-fields"):
                node["extra_behavior"] = "forbid"
            if node.get("type") == "model":
                node["config"] = node.get("config", {}) | {"extra_fields_behavior": "forbid"}
            # What is only to be gone through is checked when somebody does, and here nobody does.
            if node.get("type") == "generator":
                node["type"] = "list"
            return node
        if isinstance(node, (list, tuple)):
            return type(node)(strict(one) for one in node)
        return node

    return SchemaValidator(strict(pydantic.TypeAdapter(kind).core_schema))


def unknown(read, raw, where: str):
    """The names in a JSON that the model has no field for, however deep."""
    if isinstance(read, pydantic.BaseModel) and isinstance(raw, dict):
        fields = type(read).model_fields
        names = {field.alias or name: name for name, field in fields.items()}
        names |= {name: name for name in fields}
        for key, value in raw.items():
            if key in names:
                yield from unknown(getattr(read, names[key]), value, f"{where}.{key}".lstrip("."))
            else:
                yield f"{where}.{key}: not a field of {type(read).__name__}".lstrip(".")
    elif isinstance(read, (list, tuple)) and isinstance(raw, list):
        for at, (one, other) in enumerate(zip(read, raw)):
            yield from unknown(one, other, f"{where}.{at}")


def by_name(union) -> dict[str, type]:
    """The members of a union by what their field `type` must say."""
    if typing.get_origin(union) is typing.Annotated:
        union = typing.get_args(union)[0]
    members = {}
    for member in typing.get_args(union):
        for name in typing.get_args(member.model_fields["type"].annotation):
            members[name] = member
    return members


def of_union(union, value: dict) -> list[str]:
    """Why a value is none of these, going by its field `type`."""
    member = by_name(union).get(value.get("type"))
    if member is None:
        return [f"nothing is called {value.get('type')!r}"]
    return [f"{value['type']} {problem}" for problem in problems(member, value)]
