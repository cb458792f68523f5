"""Functions as commands: their options follow from their parameters and those of their request."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING
from typing import Annotated, Any

import typer

from unfis.app.cli.options import OPTIONS, flags_of, split_names
from unfis.app.cli.running import set_debug
from unfis.app.requests.setting import NameList, Setting, settings_in

MANY_NAMES = (NameList, NameList | None)


def command(**helps: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command of a function, with other help where that of a parameter is given here.

    What the function does not take itself of a `request` is filled from options of the same names.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = dict(inspect.signature(function, eval_str=True).parameters)
        request = own.pop("request").annotation if "request" in own else None
        filled = settings_in(request) if request else {}
        filled = {name: setting for name, setting in filled.items() if name not in own}
        taken = {name: Setting(p.annotation, p.default) for name, p in own.items()}
        given = {**taken, **filled, "debug": Setting(bool, False)}

        def run(*, debug: bool, **values: Any) -> None:
            read = {name: as_setting(name, given[name].kind, one) for name, one in values.items()}
            if request:
                read["request"] = request(**{name: read.pop(name) for name in filled})
            function(**read)

        run.__doc__ = function.__doc__
        shown = [parameter(name, given[name], helps.get(name)) for name in OPTIONS if name in given]
        run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in shown}
        return run

    return decorate


def parameter(name: str, setting: Setting, other_help: str | None) -> inspect.Parameter:
    """A parameter as typer reads it from the signature of a command."""
    shown, kind, default = OPTIONS[name], setting.kind, setting.default
    about: dict[str, Any] = {"help": other_help or shown.help, "metavar": shown.metavar}
    if shown.given is not None:
        kind, default = shown.given, None if default == () else default
    elif kind in MANY_NAMES:
        kind, default = (str, "") if kind == NameList else (str | None, None)
    if setting.bounds is not None and kind in (int, int | None):
        ends = {"min": setting.bounds.least, "max": setting.bounds.most}
        about |= {name: end for name, end in ends.items() if isinstance(end, int)}
    if name == "debug":
        about["callback"] = set_debug
    option = (
        typer.Argument(**about) if shown.is_argument else typer.Option(*flags_of(name), **about)
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if default is MISSING else default,
        annotation=Annotated[kind, option],
    )


def as_setting(name: str, kind: Any, value: Any) -> Any:
    """The value of a setting that was given as text, or in another type."""
    if (read := OPTIONS[name].read) is not None:
        return read(value)
    return split_names(value) if kind in MANY_NAMES and value is not None else value
