"""Papers that are related in various ways. Nobody and nothing here exists."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from octavo.app import Octavo
from octavo.records.codec import encode_record
from octavo.records.ids import parse_identifier
from octavo.records.paper import Record
from tests.world import record


def name(n: int) -> str:
    """The identifier of a paper of the list."""
    return f"arXiv:2101.2{n:04}"


def entry(n: int, title: str, authors: str, abstract: str = "", *, cites: tuple[int, ...] = (), on: str = "") -> Record:
    """A preprint `2101.200NN` that cites others of the list."""
    made = record(
        "arxiv", f"2101.2{n:04}", title, authors, ids=f"arXiv:2101.2{n:04}", submitted=on or f"2031-01-{n:02}",
        categories="cs.LG", abstract=abstract,
    )  # fmt: skip
    return replace(made, references=tuple(parse_identifier(name(cited))[0] for cited in cites))


FORCES = (
    "We learn interatomic forces with an equivariant network. Tensor products of the e9nn kind are fused, so that "
    "molecules are simulated faster at the same accuracy of the potential. Training takes two days on one machine, and "
    "the code is small."
)
ARMS = (
    "A robot arm learns by reinforcement learning to grasp objects that it has never seen. The policy is trained in "
    "simulation and holds on a real gripper."
)
SEED, NEAR, AUTHOR, CITING, COUPLED, REPEAT, VERSION = 1, 2, 3, 4, 5, 6, 7
GRASP, GRASPING, BARE, HAIKU = 8, 9, 10, 11
RECORDS: tuple[Record, ...] = (
    entry(SEED, "Fused Tensor Products for Interatomic Potentials", "Ada Qorin; Bo Vexley", FORCES, cites=(12, 13)),
    entry(
        NEAR, "An Equivariant Network of Interatomic Forces", "Cy Dunmore",
        "Equivariant networks with e9nn tensor products learn the forces in molecules and their potential energy.",
    ),
    entry(
        AUTHOR, "Molecules Simulated Faster", "Bo Vexley; Di Umber",
        "Simulations of molecules take long. Learned forces of an equivariant potential make them faster.",
    ),
    entry(
        CITING, "Crystals from Learned Potentials", "Ed Fallow",
        "A learned interatomic potential finds stable crystals. Forces are predicted by a network.", cites=(SEED, 14),
    ),
    entry(
        COUPLED, "Potentials of Water", "Flo Garnet",
        "Water is simulated with a learned potential of forces between its molecules.", cites=(12, 13),
    ),
    entry(
        REPEAT, "Fused Tensor Products for Interatomic Potentials, Revisited", "Ada Qorin; Bo Vexley; Gil Harrow",
        FORCES + " This version has more molecules.", on="2032-03-01",
    ),
    entry(
        VERSION, "An Equivariant Network for Interatomic Forces", "Cy Dunmore; Hal Ivers",
        "Equivariant networks with e9nn tensor products learn the forces in molecules and their potential energy well.",
        on="2033-01-01",
    ),
    entry(GRASP, "Grasping by Reinforcement Learning", "Ida Jasper", ARMS),
    entry(
        GRASPING, "A Gripper that Learns to Grasp", "Jo Kestrel",
        "Grasping of unseen objects is learned by a robot arm with a real gripper and reinforcement learning.",
    ),
    entry(BARE, "Equivariant Potentials of Molecules", "Kit Larch"),
    entry(HAIKU, "Counting Syllables", "Lou Marrow", "Verses are parted into syllables by a rule of vowels."),
    entry(12, "Spherical Sums", "Moe Nettle", "Sums over the sphere are put in order, and a table of them is given."),
    entry(14, "Lattices Told Apart", "Noa Osier", "Two lattices are told apart by a list of their shortest vectors."),
)  # fmt: skip


def fill(home: Path, records: tuple[Record, ...] = RECORDS) -> Octavo:
    """A home with the papers in it."""
    octavo = Octavo(home)
    path = home.parent / f"{home.name}.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    octavo.add("jsonl", path)
    return octavo
