"""What a shell completes: numbers, headwords and editions of the base."""

from typing import TYPE_CHECKING

import click

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.cli.clock import today

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def complete_question(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Complete a number or a headword."""
    from click.shell_completion import CompletionItem

    del param
    with KnowledgeBase.open(ctx.params.get("kb"), today=today()) as base:
        edition = base.edition(ctx.params.get("on") or "current")
        words = base.words_with(incomplete.casefold(), edition)
    return [CompletionItem(word) for word in words]


def complete_edition(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> "list[CompletionItem]":
    """Complete a designator."""
    from click.shell_completion import CompletionItem

    del param
    with KnowledgeBase.open(ctx.params.get("kb"), today=today()) as base:
        return [CompletionItem(word) for word in base.designators(incomplete)]
