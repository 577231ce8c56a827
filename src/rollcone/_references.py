"""Groups of arrays by reference, for large kernels.

To Numba a NamedTuple is a value: each use of one of its arrays copies them all, and the compiler
takes minutes to see that this is not needed. `by_reference(group)` is the same group behind a
pointer, good within the call; of it only the array that is named is read. (Compiled by what _jit
decorates, and part of its hash.)
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, lower_getattr_generic, models, register_model


class Reference(types.Type):  # type: ignore[misc]
    """Numba's type of such a pointer."""

    def __init__(self, group: Any) -> None:
        self.dtype = group  # what it points to, as PointerModel asks
        super().__init__(name=f"Reference({group})")


@register_model(Reference)  # type: ignore[untyped-decorator]
class ReferenceModel(models.PointerModel):  # type: ignore[misc]
    pass


@infer_getattr  # type: ignore[untyped-decorator]
class ReferenceFields(AttributeTemplate):  # type: ignore[misc]
    key = Reference

    def generic_resolve(self, reference: Any, name: str) -> Any:
        group = reference.dtype
        return group.types[group.fields.index(name)] if name in group.fields else None


@lower_getattr_generic(Reference)  # type: ignore[untyped-decorator]
def read_field(context: Any, builder: Any, reference: Any, pointer: Any, name: str) -> Any:
    place = reference.dtype.fields.index(name)
    return builder.load(cgutils.gep_inbounds(builder, pointer, 0, place))


@intrinsic  # type: ignore[untyped-decorator]
def by_reference(_: Any, group: Any) -> Any:
    """A reference to a NamedTuple of arrays, kept in the frame of the kernel that is called."""

    def keep(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.alloca_once_value(builder, arguments[0])

    return Reference(group)(group), keep
