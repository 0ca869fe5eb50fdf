"""Who watches a table that is hosted at a page, and how others come to watch it (§9.10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from node.lobby.table_link import TableLink
from node.watching.gallery import Gallery
from node.web.picture import Json

__all__ = ["Onlookers"]


@dataclass(frozen=True, slots=True)
class Onlookers:
    """Those who watch, `delay` seconds later, and the `link` that leads others there: that for guests."""

    gallery: Gallery
    delay: int
    link: Callable[[], TableLink]

    def picture(self) -> Json:
        """What the host's page draws."""
        link = self.link()
        return {"names": list(self.gallery.names), "delay": self.delay, "link": str(link), "code": link.code}
