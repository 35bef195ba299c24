"""Two players who play by themselves with cards that exist: for the demonstration, and to hold the rules' counts
against real piles. All chance comes from the `random.Random` that is passed in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from engine.fog import actions as a
from engine.fog.actions import FogAction
from engine.fog.board import FogBoard
from engine.fog.intel import pile_size, price
from engine.fog.launch import explain_launch, origins, ready_slots, targets
from engine.fog.names import HAND, PLACED_BEFOREHAND, SIDES, Side, other
from engine.fog.outcome import choices
from engine.fog.play import play
from engine.fog.refusal import ForbiddenAction
from engine.fog.state import Battle, FogState, Game
from engine.fog.strength import FogCard, suits
from engine.fog.supply import Route
from engine.fog.turns import limited, must_play

MOST_INTEL: Final = 10
"""Nobody buys more tokens than can be used."""
_VALUES: Final = (0, 1, 1, 2, 2, 3, 3, 4)


@dataclass
class Piles:
    """One side's cards."""

    deck: list[FogCard]
    hand: list[FogCard] = field(default_factory=list)
    discard: list[FogCard] = field(default_factory=list)
    wins: list[FogCard] = field(default_factory=list)
    losses: list[FogCard] = field(default_factory=list)
    operations: dict[int, tuple[str, list[FogCard]]] = field(default_factory=dict)
    """By slot: what the operation aims at, and its cards."""
    provinces: dict[str, list[FogCard]] = field(default_factory=dict)


class Simulation:
    """Chooses actions for both sides. Ask `choose(game)`, play what it answers, then tell it with `follow`."""

    def __init__(self, board: FogBoard, rng: Random) -> None:
        self._rng = rng
        self.piles: dict[Side, Piles] = {
            "axis": Piles(self._cards(board.box.axis_deck or 0)),
            "allies": Piles(self._cards(board.box.allied_deck or 0)),
        }
        self._neutral = {p.key: rng.randint(1, 3) for p in board.provinces}
        on_cards = board.box.objectives or tuple(p.key for p in board.provinces)
        first, second = rng.sample(on_cards, 2)
        self._objectives = (first, second)
        self._looked = False
        self._fought: set[str] = set()

    def _cards(self, n: int) -> list[FogCard]:
        cards = [FogCard(_VALUES[i % len(_VALUES)], "fort" if i % 8 == 5 else "battle") for i in range(n)]
        self._rng.shuffle(cards)
        return cards

    def choose(self, game: Game) -> FogAction:
        """What the side to act does next; legal on a board that has everything filled in."""
        state = game.state
        if state.phase == "setup":
            return a.Begin() if state.placed else self._beforehand(game)
        if state.battle is not None:
            return self._in_battle(game, state.battle)
        if state.bid is not None:
            side = state.bid.to_answer
            can = state.camp(side).intel >= price(state.bid)
            return a.AnswerIntel(can and self._rng.random() < 0.45)
        return self._in_turn(game) if state.phase == "turn" else self._at_year_end(game)

    # What they do

    def _beforehand(self, game: Game) -> FogAction:
        held = game.state.held("allies")
        return a.PlaceBeforehand(tuple(self._rng.sample(held, min(PLACED_BEFOREHAND, len(held)))))

    def _in_turn(self, game: Game) -> FogAction:
        state, side = game.state, game.state.turn
        if state.closing:
            return a.EndTurn()
        attack = self._launch(game, side)
        if attack is not None:
            return attack
        for ground in state.grounds:
            mine = [card for card in self.piles[side].provinces.get(ground.key, []) if suits(card, defending=False)]
            if ground.quagmire == side and len(mine) > 1 and ground.key not in self._fought:
                self._fought.add(ground.key)
                return a.FightOn(ground.key)
        if state.camp(side).hand and (must_play(state) or self._rng.random() < 0.3):
            played = self._play_card(game, side)
            if played is not None:
                return played
        return self._end(game, side)

    def _launch(self, game: Game, side: Side) -> FogAction | None:
        for slot in ready_slots(game, side):
            target, cards = self.piles[side].operations[slot]
            if game.state.ground(target).control == side or game.state.ground(target).quagmire:
                return a.CancelOperation(slot)
            worth = sum(card.value for card in cards if suits(card, defending=False))
            for origin in origins(game, side, target):
                if explain_launch(game, side, slot, target, origin) is None and worth >= self._rng.randint(2, 6):
                    return a.Launch(slot, target, origin)
        return None

    def _play_card(self, game: Game, side: Side) -> FogAction | None:
        state, piles = game.state, self.piles[side]
        camp, n = state.camp(side), self._rng.choice((1, 2, 2, 3))
        aims = [found.key for found in targets(game, side) if isinstance(found.supply, Route)]
        aims = [key for key in aims if state.ground(key).quagmire is None]
        n = min(n, camp.hand)
        if camp.operations[camp.wheel] is None and aims and self._rng.random() < 0.6:
            self._best_first(piles.hand)
            weights = [1 + (game.board.province(key).points or 0) for key in aims]
            piles.operations[camp.wheel] = (self._rng.choices(aims, weights)[0], [])
            return a.NewOperation(n)
        slots = [slot for slot, there in enumerate(camp.operations) if there is not None]
        mine = [ground.key for ground in state.grounds if ground.quagmire is not None]
        if mine and not limited(state) and self._rng.random() < 0.7:
            return a.ReinforceQuagmire(self._rng.choice(mine), 1)
        if slots and self._rng.random() < 0.5:
            self._best_first(piles.hand)
            return a.ReinforceOperation(self._rng.choice(slots), n)
        if limited(state):
            return a.ReinforceOperation(slots[0], 1) if slots and must_play(state) else None
        border = [key for key in state.held(side) if self._threatened(game, side, key)] or list(state.held(side))
        open_to = [key for key in border if state.ground(key).quagmire is None]
        if open_to:
            return a.Defend(self._rng.choice(open_to), 1)
        if slots:
            return a.ReinforceOperation(slots[0], 1)
        piles.operations[camp.wheel] = (self._rng.choice([g.key for g in state.grounds if g.control != side]), [])
        return a.NewOperation(1)

    def _threatened(self, game: Game, side: Side, key: str) -> bool:
        return any(game.state.ground(near).control == other(side) for near in game.board.province(key).neighbours)

    def _best_first(self, cards: list[FogCard]) -> None:
        cards.sort(key=lambda card: (card.kind == "fort", -card.value))

    def _end(self, game: Game, side: Side) -> FogAction:
        if self._looked or self._rng.random() < 0.6:
            return a.EndTurn()
        self._looked = True
        rival = game.state.camp(other(side))
        asked: list[a.Intel] = [a.Intel(province=g.key) for g in game.state.grounds if g.cards(other(side))]
        asked += [a.Intel(slot=slot) for slot, n in enumerate(rival.operations) if n]
        asked += [a.Intel(province=g.key, whose="neutral") for g in game.state.grounds if g.neutral]
        asked += [a.Intel()] if side == "allies" else []
        ends = self._rng.random() < 0.6
        self._rng.shuffle(asked)
        for intel in asked:
            told = a.Intel(intel.province, intel.whose, intel.slot, ends)
            if self._may_ask(game, side, told):
                return told
        return a.EndTurn()

    def _may_ask(self, game: Game, side: Side, told: a.Intel) -> bool:
        cost = 1 if told.ends_turn else 2
        if game.state.camp(side).intel < cost or (told.ends_turn and must_play(game.state)):
            return False
        try:
            return pile_size(game, side, told) > 0
        except ForbiddenAction:
            return False

    def _in_battle(self, game: Game, battle: Battle) -> FogAction:
        if battle.outcome is not None:
            values = battle.attack if battle.outcome == "win" else battle.defence
            return a.BankCards(choices(values, battle.needed)[0])
        attack, defence = self._fighting(battle)
        neutral = (self._neutral[battle.target],) * game.state.ground(battle.target).neutral
        return a.Reveal(tuple(attack), tuple(defence), neutral, self._rng.random() < 0.4)

    def _fighting(self, battle: Battle) -> tuple[list[FogCard], list[FogCard]]:
        mine, theirs = self.piles[battle.by], self.piles[other(battle.by)]
        attack = mine.provinces.get(battle.target, []) if battle.slot is None else mine.operations[battle.slot][1]
        return attack, theirs.provinces.get(battle.target, [])

    def _at_year_end(self, game: Game) -> FogAction:
        state, side = game.state, game.state.turn
        camp = state.camp(side)
        if state.stage == "3.4" and state.budget:
            if side == "axis" and state.budget >= 2 and self._rng.random() < 0.25:
                return a.Spend("points")
            if camp.losses:
                return a.Spend("recover", min(camp.losses, max(1, state.budget - 1)))
            if camp.production < (game.board.box.track_end or 0) and self._rng.random() < 0.6:
                return a.Spend("track")
            if camp.intel < MOST_INTEL:
                return a.Spend("intel")
        if state.stage == "3.6":
            for key, cards in self.piles[side].provinces.items():
                if len(cards) > 2 and state.ground(key).quagmire is None:
                    return a.Recall(len(cards) - 2, province=key)
            for slot, (target, _) in self.piles[side].operations.items():
                if not origins(game, side, target):
                    return a.CancelOperation(slot)
        if state.stage == "3.11" and state.year == 1944:
            return a.Objectives(self._objectives)
        return a.Next()

    # Where the cards go

    def follow(self, before: Game, action: FogAction, after: Game) -> None:
        """Moves the cards as the players' hands do when they are told what to do."""
        side = before.state.turn
        piles = self.piles[side]
        match action:
            case a.PlaceBeforehand(provinces=keys):
                for key in keys:
                    self.piles["allies"].provinces[key] = [self.piles["allies"].deck.pop()]
            case a.Defend(province=key, cards=n) | a.ReinforceQuagmire(province=key, cards=n):
                piles.provinces.setdefault(key, []).extend(_taken(piles.hand, n))
            case a.NewOperation(cards=n):
                slot = before.state.camp(side).wheel
                piles.operations[slot] = (piles.operations[slot][0], _taken(piles.hand, n))
            case a.ReinforceOperation(slot=slot, cards=n):
                piles.operations[slot][1].extend(_taken(piles.hand, n))
            case a.CancelOperation(slot=slot):
                piles.discard += piles.operations.pop(slot)[1]
            case a.Launch(target=target):
                if before.state.ground(target).control is None:
                    piles.discard += piles.provinces.pop(target, [])
            case a.Reveal():
                self._revealed(before.state, after.state)
            case a.BankCards(chosen=chosen):
                self._banked(before.state, chosen)
            case a.Recall(province=key, cards=n) if key is not None:
                piles.discard += _taken(piles.provinces[key], n)
            case a.Spend(on="recover", times=n):
                piles.discard += _taken(piles.losses, n)
            case a.Next():
                self._year_end(before.state, after)
            case _:
                pass
        self._political(after.state)
        if after.state.phase == "turn" and isinstance(action, a.EndTurn | a.Begin | a.Next):
            self._looked = False
            self._fought.clear()
        for each in SIDES:
            self._draw(each, after.state)

    def _draw(self, side: Side, state: FogState) -> None:
        piles, extra = self.piles[side], self._cards(max(0, _new_cards(state, side, self.piles[side])))
        piles.deck += extra
        if extra:
            self._rng.shuffle(piles.deck)
        while len(piles.hand) < min(HAND, state.camp(side).hand) and len(piles.deck) > state.camp(side).deck:
            piles.hand.append(piles.deck.pop())

    def _revealed(self, before: FogState, after: FogState) -> None:
        battle = before.battle
        if battle is None:
            return
        attack, defence = self._fighting(battle)
        mine, theirs = self.piles[battle.by], self.piles[other(battle.by)]
        mine.discard += _removed(attack, [card for card in attack if not suits(card, defending=False)])
        theirs.discard += _removed(defence, [card for card in defence if not suits(card, defending=True)])
        if after.battle is not None:
            return
        gained = {s: after.camp(s).losses - before.camp(s).losses for s in SIDES}
        ground = after.ground(battle.target)
        if ground.quagmire == battle.by:
            self._rng.shuffle(attack)
            self._rng.shuffle(defence)
            mine.losses += _taken(attack, gained[battle.by])
            theirs.losses += _taken(defence, gained[other(battle.by)])
            self._settled(battle, attack)
        elif ground.control == battle.by:
            theirs.losses += _taken(defence, len(defence))
            self._settled(battle, attack)
        else:
            mine.losses += _taken(attack, len(attack))
            self._settled(battle, [])

    def _banked(self, before: FogState, chosen: Iterable[int]) -> None:
        battle = before.battle
        if battle is None:
            return
        attack, defence = self._fighting(battle)
        won, lost = (attack, defence) if battle.outcome == "win" else (defence, attack)
        winner = battle.by if battle.outcome == "win" else other(battle.by)
        self.piles[winner].wins += _removed(won, [won[i] for i in chosen])
        self.piles[other(winner)].losses += _taken(lost, len(lost))
        self._settled(battle, attack)

    def _settled(self, battle: Battle, staying: list[FogCard]) -> None:
        mine = self.piles[battle.by]
        cards = list(staying)
        if battle.slot is not None:
            mine.operations.pop(battle.slot)
        mine.provinces[battle.target] = cards

    def _political(self, state: FogState) -> None:
        """Cards leave provinces that passed to the other side without a battle."""
        for side in SIDES:
            for key, cards in self.piles[side].provinces.items():
                if cards and state.ground(key).cards(side) == 0:
                    self.piles[side].discard += _taken(cards, len(cards))

    def _year_end(self, before: FogState, after: Game) -> None:
        for side in SIDES:
            piles, camp = self.piles[side], after.state.camp(side)
            if before.stage == "3.2":
                piles.discard += piles.wins[::2]
                piles.losses += piles.wins[1::2]
                piles.wins.clear()
            elif before.stage == "3.10":
                piles.deck += _taken(piles.discard, len(piles.discard))
                self._rng.shuffle(piles.deck)
            elif before.stage == "3.12":
                piles.losses += self._cards(camp.losses - len(piles.losses))


def _new_cards(state: FogState, side: Side, piles: Piles) -> int:
    """Cards that were shuffled into the deck since it was looked at last (2.6, 3.8, 3.9)."""
    return state.camp(side).deck + state.camp(side).hand - len(piles.deck) - len(piles.hand)


def _taken(cards: list[FogCard], n: int) -> list[FogCard]:
    taken = cards[:n]
    del cards[:n]
    return taken


def _removed(cards: list[FogCard], which: list[FogCard]) -> list[FogCard]:
    for card in which:
        cards.remove(card)
    return which


def simulate(game: Game, rng: Random, most: int = 5000) -> list[FogAction]:
    """A whole game's actions, from the set-up to the end."""
    simulation = Simulation(game.board, rng)
    played: list[FogAction] = []
    while game.state.phase != "over" and len(played) < most:
        action = simulation.choose(game)
        after = play(game, action).game
        simulation.follow(game, action, after)
        played.append(action)
        game = after
    return played
