"""Everything that can be printed, by its name and options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from host.printing.mat import mat_pages
from host.printing.page import Page
from host.printing.paper import paper as paper_size
from host.printing.paper import sheets as sheets_named
from host.printing.tags import tag_page

ProductKind = Literal["mat", "tags", "deck"]


@dataclass(frozen=True, eq=False)
class Product:
    """A file to print: its name, its title, its pages, and whether they are printed on both sides of the paper."""

    name: str
    title: str
    pages: tuple[Page, ...]
    both_sides: bool = False


def product(
    what: ProductKind,
    *,
    language: str = "en",
    sheets: str = "a2",
    ground: str = "light",
    paper: str = "a4",
    edition: str = "revised",
    style: str = "bright",
    flip: str = "long",
) -> Product:
    """What is printed for these options; raises `BadInput` for a word that is not known."""
    tongue = "" if language == "en" else f"-{language}"
    if what == "mat":
        colour = "" if ground == "light" else f"-{ground}"
        pages = mat_pages(sheets_named(sheets), ground, language)
        return Product(f"mat-{sheets}{colour}{tongue}.pdf", "All Fronts: mat", tuple(pages))
    if what == "tags":
        return Product(f"tags-{paper}{tongue}.pdf", "All Fronts: tags", (tag_page(paper_size(paper), language),))
    from host.printing.deck import deck_pages

    pages = deck_pages(paper_size(paper), edition, language, style, flip)
    return Product(f"deck-{edition}-{language}-{style}-{paper}.pdf", "All Fronts: deck", tuple(pages), both_sides=True)
