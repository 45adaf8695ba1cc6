"""One line of the table."""

from msgspec import Struct


class Line(Struct, frozen=True):
    """`figure` and `other` are events a second; `wanted` is what the ratio should be."""

    name: str
    figure: float
    against: str
    other: float
    wanted: str = ""

    @property
    def ratio(self) -> float:
        return self.figure / self.other if self.other else 0.0
