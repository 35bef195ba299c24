"""The steps of setting up, what each of them does, and what is shown of them. No web and no HTML in here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from engine.failure import BadInput, Failure
from engine.names import SEATS, Seat
from host.camera_setup.learning import learnt_in_words, stage_in_words
from host.camera_setup.words import MEASURES, localised
from host.messages import card, say
from host.messages.command_text import refusal_line
from host.player_name import same_names
from host.setup_wizard.cameras import Camera, Thumbnails, cameras_present, plugged_in
from host.setup_wizard.choices import Choices, load_choices, person_name, save_choices
from host.setup_wizard.decks import DeckLibrary, LearntDeck
from host.setup_wizard.game import Beginning, SetupGame, UnfinishedWarChoice
from host.setup_wizard.lights import LightsFinder
from host.setup_wizard.live_view import LiveView
from host.setup_wizard.texts import texts
from vision.enrolment.advice import PhotographFailure
from vision.enrolment.enrol import PHOTOS, Photo
from vision.geometry.table import TAG_SIDE

WizardStep: TypeAlias = Literal["camera", "mat", "aim", "deck", "lights", "players", "play"]
STEPS: Final[tuple[WizardStep, ...]] = get_args(WizardStep)
TAG_OFF: Final = 1.0
"""mm by which the tags may seem too large or too small before it is said."""


class SetupWizard:
    """Every method may be called from any thread; what a person does raises `Failure` where it cannot be done."""

    def __init__(
        self,
        game: SetupGame,
        library: DeckLibrary,
        lights: LightsFinder,
        path: Path,
        draw: Callable[[], Seat],
        *,
        live: LiveView | None = None,
        thumbnails: Thumbnails | None = None,
        cameras: Callable[[], tuple[Camera, ...]] = cameras_present,
    ) -> None:
        """`path` keeps the choices; `draw` is the lot that names the first player."""
        self.game, self.live = game, live or LiveView()
        self.thumbnails = thumbnails or Thumbnails()
        self._library, self._lights, self._path, self._draw, self._cameras = library, lights, path, draw, cameras
        self._lock = threading.RLock()
        self._choices = load_choices(path)
        self._deck_name = ""

    @property
    def choices(self) -> Choices:
        with self._lock:
            return self._choices

    @property
    def playing(self) -> bool:
        """Whether a game runs: the table's page is then the one to open."""
        return self.game.status().phase == "running"

    def done(self) -> dict[WizardStep, bool]:
        """Which steps are settled. A deck that has gone from the disk is no longer chosen."""
        chosen = self.choices
        return {
            # One that was aimed before has shown its picture then; another one is done once a picture came.
            "camera": chosen.camera is not None and (chosen.aimed or self.live.pictured(chosen.camera)),
            "mat": chosen.mat,
            "aim": chosen.camera is not None and chosen.aimed,
            "deck": self._library.deck(chosen.deck) is not None,
            "lights": chosen.lights != "unasked",
            "players": chosen.players,
            "play": self.playing,
        }

    def row(self, language: str) -> dict[str, Any]:
        """Everything that the page shows, in one language; ready for JSON."""
        war = self.game.unfinished()
        # First: what is done then holds for no less than the picture that is told of.
        live = self._live_row(language)
        return {
            "steps": [{"step": step, "done": done} for step, done in self.done().items()],
            "choices": asdict(self.choices),
            "live": live,
            "learnt": self._learnt_row(language),
            "deck_name": self._deck_name,
            "decks": [{"id": deck.id, "name": deck.name, "learnt": deck.learnt} for deck in self._library.decks()],
            "war": None if war is None else _war_row(war, language),
            "lights": self._lights_row(language),
            "game": self._game_row(language),
        }

    def decks(self) -> tuple[LearntDeck, ...]:
        """The decks that are there, the newest first."""
        return self._library.decks()

    def cameras(self) -> list[dict[str, Any]]:
        """The cameras that are plugged in."""
        return [asdict(camera) for camera in self._cameras()]

    # What a person does

    def act(self, action: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Does one of `ACTIONS`; returns what its answer holds besides. Raises `Failure`."""
        done = ACTIONS[action](self, body)
        return done if done is not None else {}

    def _choose(self, body: Mapping[str, Any]) -> None:
        changes = dict(body)
        names = changes.get("names")
        if changes.get("players") and isinstance(names, Mapping) and _same(names):
            raise BadInput("same-names", "Both players have the same name.", "Add a letter to one of them.")
        if changes.get("deck") is not None and self._library.deck(str(changes["deck"])) is None:
            raise BadInput("no-deck", "That deck is not there.", "Choose another one.")
        with self._lock:
            chosen = self._choices.with_changes(changes)
            if chosen.camera != self._choices.camera and "aimed" not in changes:
                # Another camera hangs elsewhere.
                chosen = replace(chosen, aimed=False)
            self._keep(chosen)
            if "camera" in changes and chosen.camera is not None and self.live.spec not in (None, chosen.camera):
                # Who has gone on to the next step meanwhile looks at the one before: no deck is learnt through that.
                self._look({})

    def _keep(self, chosen: Choices) -> None:
        try:
            save_choices(chosen, self._path)
        except OSError as error:
            raise Failure(
                "not-kept", f"{self._path} cannot be written: {error.strerror}.", "Make room on the disk."
            ) from error
        self._choices = chosen

    def _look(self, body: Mapping[str, Any]) -> None:
        self._not_while_playing()
        spec = body.get("camera", self.choices.camera)
        if not isinstance(spec, str) or not spec.strip():
            raise BadInput("no-camera", "No camera is chosen.", "Choose one first.")
        spec = spec.strip()
        if spec.isdecimal() and not plugged_in(spec, self._cameras):
            raise BadInput("no-such-camera", f"There is no camera {spec}.", "Choose one that is shown.")
        self.live.open(spec)

    def _learn(self, body: Mapping[str, Any]) -> None:
        # Kept here: the page that asked may be loaded again before the deck is learnt.
        self._deck_name = person_name(body.get("name", ""))
        self._look({})
        if Path(self.live.spec or "").expanduser().is_dir():
            # The photographs of a folder come in their order: the first one is the first again.
            self.live.begin_again()
        self.live.learn()

    def _retake(self, body: Mapping[str, Any]) -> None:
        photo = body.get("photo")
        if photo not in PHOTOS:
            raise BadInput("bad-choice", "There is no such photograph.", "Choose one of the four.")
        self.live.retake(cast(Photo, photo), alone=body.get("alone") is True)

    def _keep_deck(self, body: Mapping[str, Any]) -> None:
        draft = self.live.draft
        if draft is None:
            raise BadInput("no-draft", "No deck has been learnt yet.", "Take the four photographs first.")
        deck = self._library.keep(draft.profile, str(body.get("name", self._deck_name)), draft.sheet)
        self._deck_name = ""
        self.live.stop_learning()
        self._choose({"deck": deck.id})

    def _look_for_lights(self, body: Mapping[str, Any]) -> None:
        self._not_while_playing()
        self._lights.look()

    def _show_lights(self, body: Mapping[str, Any]) -> None:
        self._lights.light(body.get("on") is True)

    def _draw_first(self, body: Mapping[str, Any]) -> dict[str, Any]:
        first = self._draw()
        self._choose({"first": first})
        return {"first": first}

    def _begin(self, body: Mapping[str, Any]) -> None:
        self._not_while_playing()
        chosen, go_on = self.choices, body.get("go_on") is True
        deck = self._library.deck(chosen.deck)
        if chosen.camera is None:
            raise BadInput("no-camera", "No camera is chosen.", "Choose one first.")
        if deck is None:
            raise BadInput("no-deck", "No deck is chosen.", "Choose one, or learn yours.")
        if not go_on and self.game.unfinished() is not None and body.get("anew") is not True:
            # Nothing is given up unasked.
            raise BadInput("war-unfinished", "A war is not finished.", "Go on with it, or say that a new one begins.")
        self.close()
        self.game.begin(
            Beginning(
                chosen.camera,
                deck.folder,
                chosen.lights != "none",
                chosen.names,
                chosen.edition,
                chosen.target,
                chosen.beginner,
                chosen.first,
                go_on,
            )
        )

    def _begin_demo(self, body: Mapping[str, Any]) -> None:
        self._not_while_playing()
        self.close()
        self.game.begin_demo(self.choices.edition)

    def _end(self, body: Mapping[str, Any]) -> None:
        self.game.end()

    def _not_while_playing(self) -> None:
        if self.game.status().phase in ("starting", "running"):
            raise BadInput("playing", "The game has the camera now.", "Stop playing first.")

    def close(self) -> None:
        """Lets go of camera and lights."""
        self.live.close()
        self._lights.stop()

    # What is shown

    def _live_row(self, language: str) -> dict[str, Any] | None:
        row = self.live.row()
        if row is None:
            return None
        side = row.get("tag_side")
        said = localised(row, language)
        if "://" in (self.live.spec or ""):
            silent = {"message": texts(language)["camera_silent"]}
            said["troubles"] = [one | (silent if one["code"] == "camera-gone" else {}) for one in said["troubles"]]
        return said | {
            "spec": self.live.spec,
            "learning": self.live.learning,
            "measures": {code: say(language, "aim-page", code) for code in MEASURES},
            "tag_wrong": side is not None and abs(side - TAG_SIDE) > TAG_OFF,
        }

    def _learnt_row(self, language: str) -> dict[str, Any] | None:
        failed = self.live.failed
        if failed is not None:
            photo = failed.photograph if isinstance(failed, PhotographFailure) else ""
            return {"ready": False, "failed": failure_text(failed, language), "photo": photo}
        draft, progress = self.live.draft, self.live.progress
        if draft is not None:
            expected = learnt_in_words(draft, language, partial(card, language))
            return {"ready": True, "failed": None, "expected": expected}
        if progress is not None:
            return {"ready": False, "failed": None, "progress": stage_in_words(language, *progress)}
        return None

    def _lights_row(self, language: str) -> dict[str, Any]:
        found = self._lights.found()
        text = ""
        if found.trouble is not None:
            parts = dict(found.parts) | {"port": found.port, "firmware": found.firmware}
            text = say(language, "condition", f"link-{found.trouble}", parts)
        return {"state": found.state, "port": found.port, "text": text}

    def _game_row(self, language: str) -> dict[str, Any]:
        status = self.game.status()
        failed = None if status.failure is None else failure_text(status.failure, language)
        return {"phase": status.phase, "failed": failed}


def _same(names: Mapping[str, object]) -> bool:
    """Whether both seats have one name: every sentence would speak of nobody in particular."""
    return same_names({seat: person_name(names.get(seat, "")) for seat in SEATS})


def _war_row(war: UnfinishedWarChoice, language: str) -> dict[str, Any]:
    row: dict[str, Any] = asdict(war)
    return row | {"names": {seat: war.names.get(seat) or say(language, "seat", seat) for seat in SEATS}}


def failure_text(failure: Failure, language: str) -> str:
    """A failure in the players' language: as these pages say it, else as the commands do."""
    return texts(language).get(f"failed_{failure.code.replace('-', '_')}") or refusal_line(failure, language)


ACTIONS: Final[Mapping[str, Callable[[SetupWizard, Mapping[str, Any]], dict[str, Any] | None]]] = {
    "choose": SetupWizard._choose,
    "look": SetupWizard._look,
    "look-away": lambda wizard, body: wizard.live.close(),
    "learn": SetupWizard._learn,
    "stop-learning": lambda wizard, body: wizard.live.stop_learning(),
    "retake": SetupWizard._retake,
    "keep-deck": SetupWizard._keep_deck,
    "look-for-lights": SetupWizard._look_for_lights,
    "show-lights": SetupWizard._show_lights,
    "leave-lights": lambda wizard, body: wizard._lights.stop(),
    "draw-first": SetupWizard._draw_first,
    "begin": SetupWizard._begin,
    "begin-demo": SetupWizard._begin_demo,
    "end": SetupWizard._end,
}
"""Everything that the page can ask for."""
