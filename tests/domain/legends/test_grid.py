import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.refusal import Refused
from domain.legends.grid import (
    BASIC_MOVE,
    COSTS,
    RANGES,
    SPELL,
    SUMMONING,
    TEMPLATE,
    Cell,
    distance,
    require_reach,
    steps,
    walked,
    zone,
)

HERE = Cell(0, 0)
CELLS = st.builds(Cell, st.integers(-200, 200), st.integers(-200, 200))


@pytest.mark.rule("LB-5.2.1", "LB-5.2.2")
@pytest.mark.parametrize(("dx", "dy", "cost"), [(3, 3, 3), (2, 1, 2), (1, -2, 2), (2, 0, 2), (2, 2, 2), (0, 0, 0)])
def test_a_diagonal_step_costs_one(dx, dy, cost):
    assert steps(HERE, Cell(dx, dy)) == cost


@pytest.mark.rule("LB-5.2.2")
def test_the_printed_costs_are_all_there():
    assert len(COSTS) == 17
    assert sum(one.value == 1 for one in COSTS) == 8


@pytest.mark.rule("LB-5.2.1")
def test_a_path_costs_its_steps_and_has_no_gap():
    assert walked([HERE]) == 0
    assert walked([HERE, Cell(1, 1), Cell(1, 2), Cell(0, 1)]) == 3
    with pytest.raises(Refused) as refused:
        walked([HERE, Cell(1, 1), Cell(3, 1)])
    assert (refused.value.code, refused.value.rule) == ("PATH_NOT_CONTIGUOUS", "LB-5.2.1")
    assert refused.value.params == {"x": 3, "y": 1}
    with pytest.raises(Refused):
        walked([HERE, HERE])


@pytest.mark.rule("LB-16.3.1", "LB-16.3.6")
@pytest.mark.parametrize(
    ("dx", "dy", "far"), [(1, 1, 1), (2, 2, 3), (6, 6, 8), (6, 5, 8), (6, 3, 7), (10, 11, 15), (11, 11, 16)]
)
def test_range_is_the_straight_line_to_the_nearest_cell(dx, dy, far):
    assert distance(HERE, Cell(dx, dy)) == far


@pytest.mark.rule("LB-16.3.6")
def test_the_printed_ranges_are_all_there():
    assert len(RANGES) == 13 * 13
    assert [len(row) for row in TEMPLATE] == [17] * 17


@pytest.mark.rule("LB-16.3.2", "LB-5.2.3")
def test_walking_is_not_reaching():
    assert (steps(HERE, Cell(2, 2)), distance(HERE, Cell(2, 2))) == (2, 3)


@pytest.mark.rule("LB-16.3.1", "LB-5.2.1")
@given(CELLS, CELLS)
def test_both_are_the_same_there_and_back_and_the_line_is_no_shorter(one, other):
    assert (steps(one, other), distance(one, other)) == (steps(other, one), distance(other, one))
    assert steps(one, other) <= distance(one, other) <= 2 * steps(one, other)


@pytest.mark.rule("LB-16.3.3", "LB-16.3.5")
@pytest.mark.parametrize(
    ("target", "most", "legal"),
    [
        (Cell(1, 1), BASIC_MOVE, True),
        (Cell(2, 0), BASIC_MOVE, False),
        (Cell(4, 4), SUMMONING, False),
        (Cell(10, 11), SPELL, True),
        (Cell(11, 11), SPELL, False),
    ],
)
def test_a_target_is_in_range_up_to_the_bound(target, most, legal):
    if legal:
        require_reach(HERE, target, most, "LB-16.3.3")
        return
    with pytest.raises(Refused) as refused:
        require_reach(HERE, target, most, "LB-16.3.3")
    assert refused.value.code == "OUT_OF_RANGE"
    assert refused.value.params == {"distance": distance(HERE, target), "max": most}


@pytest.mark.rule("LB-16.3.4")
@pytest.mark.parametrize(("radius", "cells"), [(0, 1), (1, 9), (2, 21)])
def test_a_zone_holds_every_cell_within_its_radius(radius, cells):
    centre = Cell(7, -3)
    found = zone(centre, radius)
    assert len(set(found)) == len(found) == cells
    assert all(distance(centre, cell) <= radius for cell in found)


@pytest.mark.rule("LB-16.3.4")
@pytest.mark.parametrize("radius", [-1, 101])
def test_what_is_no_radius(radius):
    with pytest.raises(Refused) as refused:
        zone(HERE, radius)
    assert refused.value.code == "INVALID_RADIUS"
