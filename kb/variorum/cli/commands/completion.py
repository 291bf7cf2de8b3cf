"""`cr completion`: scripts with which a shell completes commands, numbers and terms."""

import click
from click.shell_completion import FishComplete, ShellComplete, get_completion_class

SHELLS = ("bash", "fish", "zsh")


class _Fish(FishComplete):
    """Completion in fish that allows commas in words, as headwords need."""

    source_template = FishComplete.source_template.replace('split ","', 'split -m 1 ","')


@click.command()
@click.argument("shell", type=click.Choice(SHELLS), required=False)
def completion(shell: str | None) -> None:
    """Print a script that makes a shell complete commands, options, rule numbers and terms.

    \b
    eval "$(cr completion bash)"    in ~/.bashrc
    eval "$(cr completion zsh)"     in ~/.zshrc, after compinit
    cr completion fish | source     in ~/.config/fish/config.fish
    """  # noqa: D301 - click reads \b
    if shell is None:
        raise click.UsageError(f"name a shell: {', '.join(SHELLS[:-1])} or {SHELLS[-1]}")
    from variorum.cli.main import main

    kind: type[ShellComplete] | None = _Fish if shell == "fish" else get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"no completion is known for {shell}")
    click.echo(kind(main, {}, "cr", "_CR_COMPLETE").source())
