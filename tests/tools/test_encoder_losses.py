"""The encoder's training: its losses have the gradients that finite differences have, and mean what they say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools" / "encoder"))
import losses  # type: ignore[import-not-found]

STEP = 1e-5


def drawn(seed: int, n: int = 6, width: int = 5) -> Any:
    return np.random.default_rng(seed).standard_normal((n, width))


def differences(loss: Callable[[Any], float], at: Any) -> Any:
    """The gradient by central differences."""
    out = np.zeros_like(at)
    for place in np.ndindex(*at.shape):
        step = np.zeros_like(at)
        step[place] = STEP
        out[place] = (loss(at + step) - loss(at - step)) / (2 * STEP)
    return out


@pytest.mark.parametrize("side", [0, 1])
def test_contrast_has_the_gradient_of_its_loss(side: int) -> None:
    raw = [drawn(1), drawn(2)]

    def loss(one: Any) -> float:
        both = [*raw]
        both[side] = one
        return float(losses.contrast(losses.unit(both[0])[0], losses.unit(both[1])[0], 0.5)[0])

    units = [losses.unit(one) for one in raw]
    by = losses.contrast(units[0][0], units[1][0], 0.5)[1 + side]
    found = losses.before_unit(by, *units[side])
    np.testing.assert_allclose(found, differences(loss, raw[side]), atol=1e-6)


def test_likeness_has_the_gradient_of_its_loss() -> None:
    raw, wanted = drawn(3), losses.spreads(losses.unit(drawn(4))[0], 0.5)
    units, lengths = losses.unit(raw)
    found = losses.before_unit(losses.likeness(units, wanted, 0.5)[1], units, lengths)
    expected = differences(lambda one: float(losses.likeness(losses.unit(one)[0], wanted, 0.5)[0]), raw)
    np.testing.assert_allclose(found, expected, atol=1e-6)


def test_likeness_is_least_where_the_teacher_is_followed() -> None:
    units = losses.unit(drawn(5))[0]
    loss, by = losses.likeness(units, losses.spreads(units, 0.3), 0.3)
    assert abs(loss) < 1e-9
    assert np.abs(by).max() < 1e-9
    assert losses.likeness(units, losses.spreads(losses.unit(drawn(6))[0], 0.3), 0.3)[0] > 0.1


def test_contrast_falls_when_partners_come_nearer() -> None:
    a, b = losses.unit(drawn(7))[0], losses.unit(drawn(8))[0]
    nearer = losses.unit(b + a)[0]
    assert losses.contrast(a, nearer, 0.1)[0] < losses.contrast(a, b, 0.1)[0]


def test_spreads_leave_a_text_itself_out() -> None:
    found = losses.spreads(losses.unit(drawn(9))[0], 0.05)
    np.testing.assert_allclose(found.sum(1), 1)
    assert found.diagonal().max() < 1e-12
