"""The floor's own configuration: a TOML file with up to five sections."""

import re
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import available_timezones

import msgspec
from msgspec import Struct

from controller.floor.reading import Reader
from drivers.errors import system_word

Port = Annotated[int, msgspec.Meta(ge=0, le=65_535)]
LARGEST_BYTES = 65_536


class UplinkSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The address at which the floor serves tables. `tables`: the directory of their public keys, `<table>.pub`.

    `authority`: a PEM file with the issuers of the tables' certificates; `certificate`: a PEM file with the floor's own
    certificate and key.
    """

    listen: str
    port: Port
    certificate: str
    authority: str
    tables: str


class DatabaseSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The floor's database.

    `connection`: libpq's connection string, for example `host=/run/postgresql dbname=sabot_floor`.
    """

    connection: str


class WitnessSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The floor's witness. `directory`: the directory with the witness's key and name, as `sabot witness new` makes it.
    The marks that the witness has signed are in the database.
    """

    directory: str


class PageSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The room's page. Without sign-in it is served to this computer alone. `zone`: the time zone of the page; a day
    begins at midnight there.
    """

    port: Port = 8030
    language: Literal["pt", "en"] = "en"
    zone: str = "UTC"


class SignInSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The casino's OpenID Connect provider. People who sign in there may read the page, which is then served over TLS
    at `listen`.

    `name`: the page's host name. `secret`: a file with the provider's secret for `client`. `authority`: a PEM file with
    the issuers of the provider's certificate; "" for the issuers that the system trusts. `claim`: the claim of the ID
    token that lists the person's roles. `roles`: for each role on the page, the words in the claim that give it.
    """

    issuer: str
    client: str
    secret: str
    listen: str
    name: str
    certificate: str
    roles: dict[Reader, list[str]]
    authority: str = ""
    claim: str = "roles"
    scope: str = "openid profile"


class FloorConfig(Struct, frozen=True, forbid_unknown_fields=True):
    """The floor's whole configuration. `place`: the directory of its file; relative paths start there."""

    uplink: UplinkSection
    database: DatabaseSection
    page: PageSection | None = None
    witness: WitnessSection | None = None
    sign_in: SignInSection | None = None
    place: str = ""

    def path(self, name: str) -> Path:
        return Path(self.place) / name


class FloorConfigRefused(Exception):  # noqa: N818 (the name says what became of it)
    """Raised for a configuration that is faulty or cannot be read.

    The text is the faulty key or section, or the operating system's word for the error.
    """

    def __init__(self, detail: str, *, is_unreadable: bool = False) -> None:
        super().__init__(detail)
        self.is_unreadable = is_unreadable


_NAMED = re.compile(r"`([^`]+)`")


def _place_of(error: Exception) -> str:
    """Returns the keys and sections that the parser's error names. Returns `TOML` if the error names none."""
    return ", ".join(one.removeprefix("$.") for one in _NAMED.findall(f"{error}") if one != "$") or "TOML"


def read_floor_config(path: Path) -> FloorConfig:
    """The floor's configuration in `path`. Raises FloorConfigRefused."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES)
        config = msgspec.toml.decode(data, type=FloorConfig)
    except OSError as error:
        raise FloorConfigRefused(system_word(error), is_unreadable=True) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FloorConfigRefused(_place_of(error)) from error
    if config.page is not None and config.page.zone not in available_timezones():
        raise FloorConfigRefused("page.zone")
    if config.sign_in is not None and not config.sign_in.issuer.startswith("https://"):
        raise FloorConfigRefused("sign_in.issuer")
    if config.sign_in is not None and config.page is None:
        raise FloorConfigRefused("page")
    return msgspec.structs.replace(config, place=str(path.parent.absolute()))
