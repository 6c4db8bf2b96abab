"""x."""
import click
__all__ = ["init"]
@click.command()
def init() -> None:
    """x."""
