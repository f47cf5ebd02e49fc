"""`gym:ID:key=value,…`: environments of Gymnasium by name. Files of others name them, too, so what a name may lead to
depends on who says it."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from ._errors import Error, bad_input, sentence_of
from ._installed import only_installed
from ._tasks import is_said

#: A longer name of an environment is a mistake, or meant to do harm.
_LONGEST = 1000


def identifier(name: str, settings: Mapping[str, Any]) -> str | None:
    """The name of an environment with settings; None if they cannot be written, or only at great length."""
    try:
        text = ",".join(f"{key}={json.dumps(value)}" for key, value in sorted(settings.items()))
    except TypeError:
        return None
    spec = f"gym:{name}:{text}" if text else f"gym:{name}"
    return spec if len(spec) <= _LONGEST else None


def maker(spec: str) -> Callable[[], Any]:
    """What makes the environments of `gym:ID` or `gym:ID:settings`."""
    if len(spec) > _LONGEST:
        raise bad_input(f"{spec[:57]}...", f"is longer than {_LONGEST:,} characters")
    with _imports_for(spec):
        gymnasium = import_gymnasium(spec)
    name, _, settings_text = spec.removeprefix("gym:").partition(":")
    module_id, _, rest = settings_text.partition(":")
    module = ""
    if all(part.isidentifier() for part in name.split(".")) and module_id and "=" not in module_id:
        module, name, settings_text = name, f"{name}:{module_id}", rest  # gym:module:ID
    settings = _parse_settings(spec, settings_text)
    _require_harmless(spec, module, settings)
    return lambda: _made_by_id(spec, lambda: gymnasium.make(name, **settings))


def _parse_settings(spec: str, text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    decoder = json.JSONDecoder()
    while text:
        key, equals, rest = text.partition("=")
        if not equals or not key.isidentifier():
            raise bad_input(
                spec, f"{text} is not key=value", 'as in gym:FrozenLake-v1:map_name="8x8",is_slippery=false'
            )
        try:
            value, end = decoder.raw_decode(rest)
        except json.JSONDecodeError:
            end = (rest + ",").index(",")
            value = rest[:end]
        except RecursionError:
            raise bad_input(spec, f"{key} is nested too deeply") from None
        settings[key] = value
        text = rest[end:].removeprefix(",")
    return settings


def _reaches_outside(setting: Any) -> bool:
    """Whether a setting may name a file, or a module with an environment in it."""
    if isinstance(setting, Mapping):
        return any(_reaches_outside(part) for pair in setting.items() for part in pair)
    if isinstance(setting, list):
        return any(_reaches_outside(part) for part in setting)
    return isinstance(setting, str) and (setting.startswith((".", "~")) or any(sign in setting for sign in ":/\\"))


def _say_it(spec: str) -> str:
    return f"if you trust it, name it yourself, with --env {shlex.quote(spec)} or env="


def _require_harmless(spec: str, module: str, settings: Mapping[str, Any]) -> None:
    """Programs, checkpoints and configurations of others name environments: theirs must be registered already, and get
    no settings that lead elsewhere. What the user says is done."""
    if is_said(spec):
        return
    if module and module not in sys.modules:
        what = f"a file names it, and files cannot have the module {module} imported"
        raise bad_input(spec, what, _say_it(spec))
    if _reaches_outside(settings):
        raise bad_input(spec, "a file names it, and settings in files cannot name paths or modules", _say_it(spec))
    if "render_mode" in settings:
        raise bad_input(spec, "a file names it, and files cannot open windows: render_mode", _say_it(spec))


def _imports_for(spec: str) -> AbstractContextManager[None]:
    """Where modules may come from while an environment is made: from everywhere only if the user has named it."""
    return nullcontext() if is_said(spec) else only_installed()


def _made_by_id(spec: str, make: Callable[[], Any]) -> Any:
    """An environment of Gymnasium's registry; whatever goes wrong in its constructor is a sentence."""
    import gymnasium

    try:
        with _imports_for(spec):
            return make()
    except Error:
        raise
    except (gymnasium.error.Error, ImportError) as error:
        missing = isinstance(error, (ImportError, gymnasium.error.DependencyNotInstalled))
        hint = f"a file names it; {_say_it(spec)}" if missing and not is_said(spec) else ""
        raise bad_input(spec, str(error).split("\n")[0], hint) from error
    except TypeError as error:
        raise bad_input(spec, f"does not have these settings ({error})") from error
    except Exception as error:
        raise bad_input(spec, f"cannot be made ({sentence_of(error, error.__traceback__)})") from error


def import_gymnasium(spec: str) -> Any:
    """Gymnasium, or a sentence about how to get it."""
    try:
        import gymnasium
    except ImportError:
        raise bad_input(spec, "needs Gymnasium", 'install it with pip install "ndnf[gymnasium]"') from None
    return gymnasium
