"""Linking against a catalogue: which works some records make together with those that are stored."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from octavo.catalogue import Catalogue
from octavo.catalogue.links import Doubtful, Links
from octavo.ingest.linking.features import Features, Name, features_of
from octavo.ingest.linking.keys import MOST_HOLDERS, keys_of
from octavo.ingest.linking.settle import Doubt, Ruling
from octavo.ingest.linking.works import Linking, link, link_near
from octavo.records.codec import decode_record

_REMEMBERED = 20_000
"""Features of stored records that are kept in memory: the same neighbours are asked for again and again."""


class Linker:
    """Finds the works that records make, and keeps the keys by which they are found. Changes want a transaction."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Work on `catalogue`."""
        self.links = Links(catalogue.database)
        self._catalogue = catalogue
        self._features: OrderedDict[Name, Features] = OrderedDict()

    def near(self, fresh: Sequence[Features], stored_pks: Mapping[Name, int]) -> Linking:
        """The works of some records and of all whose works they may change (`linking.works.link_near`).

        `stored_pks` are the database's keys of those of them that it has.
        """
        return link_near(fresh, _Holders(self.links, fresh, set(stored_pks.values())), self.load, self.rulings())

    def all(self, records: Sequence[Features]) -> Linking:
        """The works of all records, at once."""
        return link(records, self.rulings())

    def rulings(self) -> list[Ruling]:
        """What the reader said."""
        return [Ruling(one, other, same) for one, other, same in self.links.rulings()]

    def load(self, names: Sequence[Name]) -> Iterator[Features]:
        """The features of stored records."""
        unknown: dict[str, list[str]] = {}
        for name in names:
            if name in self._features:
                self._features.move_to_end(name)
                yield self._features[name]
            else:
                unknown.setdefault(name[0], []).append(name[1])
        for source, keys in unknown.items():
            for stored in self._catalogue.find_records(source, keys).values():
                features = features_of(decode_record(stored.claim))
                self._features[features.name] = features
                yield features
        while len(self._features) > _REMEMBERED:
            self._features.popitem(last=False)

    def forget(self, names: Iterable[Name]) -> None:
        """Let go of what is remembered of records that change."""
        for name in names:
            self._features.pop(name, None)

    def around(self, old: Sequence[Features], pks: Mapping[Name, int]) -> set[Name]:
        """The stored records whose works may change when these go: all that are in a group with one of them, and
        those that have a key in common that too many had."""
        found = {name for group in self.near(old, pks).groups for name in group}
        crowded: set[int] = set()
        for key, n_going in Counter(key for features in old for key in keys_of(features)).items():
            holders = self.links.holders(key, MOST_HOLDERS + 1 + n_going)
            if MOST_HOLDERS < len(holders) <= MOST_HOLDERS + n_going:
                crowded.update(holders)
        found.update(self.links.names_of(sorted(crowded)).values())
        return found - {features.name for features in old}

    def put_doubts(self, about: Iterable[Name], doubts: Iterable[Doubt]) -> None:
        """Let these be the doubts about those records."""
        self.links.put_doubts(about, (Doubtful(doubt.one, doubt.other, doubt.reason, doubt.score) for doubt in doubts))


class _Holders:
    """Who has a key: stored records, and those that are about to be."""

    def __init__(self, links: Links, fresh: Sequence[Features], pks: set[int]) -> None:
        self._links = links
        self._pks = pks
        self._fresh: dict[int, list[Name]] = {}
        for features in fresh:
            for key in keys_of(features):
                self._fresh.setdefault(key, []).append(features.name)

    def __call__(self, keys: Sequence[int]) -> dict[int, list[Name]]:
        """The names of each key's holders: all of them, or more than tell anything."""
        found = {key: self._stored(key) for key in keys}
        names = self._links.names_of(sorted({pk for pks in found.values() for pk in pks}))
        return {
            key: list(dict.fromkeys([*(names[pk] for pk in pks if pk in names), *self._fresh.get(key, ())]))
            for key, pks in found.items()
        }

    def _stored(self, key: int) -> list[int]:
        most = MOST_HOLDERS + 1
        pks = self._links.holders(key, most)
        if len(pks) < most:
            return pks
        # Whether it was as common before the fresh ones came, all its holders must be known for.
        if sum(pk not in self._pks for pk in pks) > MOST_HOLDERS:
            return pks
        return self._links.holders(key, 1_000_000)
