"""Functions as commands: their options follow from their parameters and those of their request."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from unfis.app.cli.options import OPTIONS, flags_of, split_names
from unfis.app.cli.running import set_debug
from unfis.app.requests.setting import Bounds, Names, Request, setting_types

TypedSetting = tuple[Any, Any, Bounds | None]  # the type of a parameter, its default, its bounds


def command(**helps: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command of a function, with other help where that of a parameter is given here.

    What the function does not take itself of a `request` is filled from options of the same names.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(function, eval_str=True).parameters
        given: dict[str, TypedSetting] = {
            name: (p.annotation, p.default, None) for name, p in own.items()
        }
        request, *_ = given.pop("request", (None,))
        settings = {} if request is None else settings_given(request)
        settings = {name: one for name, one in settings.items() if name not in own}
        given |= settings | {"debug": (bool, False, None)}

        def run(*, debug: bool, **values: Any) -> None:
            read = {name: as_setting(name, given[name][0], one) for name, one in values.items()}
            if request is not None:
                read["request"] = request(**{name: read.pop(name) for name in settings})
            function(**read)

        run.__doc__ = function.__doc__
        order = [name for name in OPTIONS if name in given]
        shown = [parameter(name, *given[name], helps.get(name)) for name in order]
        run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in shown}
        return run

    return decorate


def settings_given(request: type[Request]) -> dict[str, TypedSetting]:
    """The types, the defaults and the bounds of the settings of a request."""
    defaults = inspect.signature(request).parameters
    return {
        name: (kind, defaults[name].default, bounds)
        for name, (kind, bounds) in setting_types(request).items()
    }


def parameter(
    name: str, kind: Any, default: Any, bounds: Bounds | None, other_help: str | None
) -> inspect.Parameter:
    """A parameter as typer reads it from the signature of a command."""
    shown = OPTIONS[name]
    about: dict[str, Any] = {"help": other_help or shown.help, "metavar": shown.metavar}
    if kind in (Names, Names | None):
        kind, default = (str, "") if kind == Names else (str | None, None)
    if shown.given is not None:
        default = None if shown.given in (list[str] | None, str | None) else default
        kind = shown.given
    if bounds is not None and kind in (int, int | None):
        ends = {"min": bounds.least, "max": bounds.most}
        about |= {name: end for name, end in ends.items() if isinstance(end, int)}
    if name == "debug":
        about["callback"] = set_debug
    option = (
        typer.Argument(**about) if shown.is_argument else typer.Option(*flags_of(name), **about)
    )
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
    )


def as_setting(name: str, kind: Any, value: Any) -> Any:
    """The value of a setting that was given as text, or in another type."""
    if (read := OPTIONS[name].read) is not None:
        return read(value)
    return split_names(value) if kind in (Names, Names | None) and value is not None else value
