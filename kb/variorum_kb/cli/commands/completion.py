"""`cr completion`: what makes a shell complete commands, numbers and terms."""

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "fish", "zsh")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the completion script for SHELL; commands, rule numbers and terms are completed.

    \b
    eval "$(cr completion bash)"                                  in ~/.bashrc
    eval "$(cr completion zsh)"                                   in ~/.zshrc
    cr completion fish > ~/.config/fish/completions/cr.fish
    """  # noqa: D301 - click reads \b
    from variorum_kb.cli.main import main

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion is known for {shell}")
    click.echo(found(main, {}, "cr", "_CR_COMPLETE").source())
