"""`cr schema`: the JSON Schemas of answers."""

import click


@click.command()
@click.argument("name", required=False)
def schema(name: str | None) -> None:
    """Print the JSON Schema of an answer, or list all schemas.

    \b
    cr schema              the names, and what prints such JSON
    cr schema history      the schema of cr history --json
    """  # noqa: D301 - click reads \b
    from variorum.records import schemas
    from variorum.records.answer import json_text

    if name is None:
        for form, (source, *_) in schemas.FORMATS.items():
            click.echo(f"{form:<14} {source}")
    elif name in schemas.FORMATS:
        click.echo(json_text(schemas.schema(name), indent=1))
    else:
        raise click.UsageError(f"no schema is named {name!r}; cr schema lists them")
