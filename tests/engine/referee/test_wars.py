"""Given several battles, then their ends, the score, the next first player and the boards follow by themselves."""

from __future__ import annotations

from engine.events import Answer, BattleOver, Closed, Correct, Done, MoveMade, Notice, Undone, Unsure, Withdraw
from engine.referee import best_state, score, war_winner
from engine.sight import Note, Sight
from engine.war import rotated


def over(events):
    return [(e.winner, e.points, e.why) for e in events if isinstance(e, BattleOver)]


def codes(events):
    return [e.code for e in events if isinstance(e, Notice)]


def test_a_table_cleared_in_mid_battle_is_a_withdrawal_of_the_seat_to_move(evening):
    table = evening().two_cards()
    events = table.see(wait=1)
    assert over(events) == [("far", 2, "withdrew")]
    assert score(table.belief) == {"near": 0, "far": 2}
    assert codes(events) == ["new-battle"]


def test_commander_cards_change_hands_and_boards_rotate(evening):
    table = evening().two_cards()
    table.see(wait=1)
    table.order = "SAL"
    table.see()
    events = table.see(Sf="S6")
    assert codes(events) == [] and table.moves == ["far deploy S6 S"]
    state = best_state(table.belief)
    assert ("".join(state.order), state.first, table.belief.number) == ("SAL", "far", 2)


def test_boards_not_rotated_are_played_as_they_lie_with_a_notice(evening):
    table = evening().two_cards()
    table.see(wait=1)
    table.see()
    events = table.see(Sf="S6")
    (notice,) = [e for e in events if isinstance(e, Notice)]
    assert (notice.code, notice.parts) == ("boards-not-rotated", {"order": "ALS", "expected": "SAL"})
    assert "".join(best_state(table.belief).order) == "ALS"


def test_the_button_withdraws_at_once_and_only_on_ones_own_turn(evening):
    table = evening().two_cards()
    assert codes(table.say(Withdraw("far"))) == ["not-now"]
    assert over(table.say(Withdraw("near"))) == [("far", 2, "withdrew")]
    assert table.see(An="A6", wait=20) == [], "tidying up"
    assert codes(table.see(wait=1)) == ["new-battle"]


def test_an_optional_effect_open_when_the_table_is_cleared_was_declined(evening):
    table = evening().two_cards()
    table.see(An="A6", Lf="L6", Sn="S1")
    events = table.see(wait=1)
    assert table.moves_of(events) == ["near decline", "far withdraw"]
    assert over(events) == [("near", 2, "withdrew")]


def test_a_mandatory_effect_open_when_the_table_is_cleared_is_asked_about(evening):
    table = evening().two_cards()
    table.see(An="A6 A3", Lf="L6")
    (asked,) = table.see(wait=2)
    assert isinstance(asked, Unsure) and asked.question == "who-withdrew"
    assert over(table.say(Answer(asked.id, "far"))) == [("near", 2, "withdrew")]


def under_containment(evening):
    """Near has four cards left and far five, and far is to play, if nothing was destroyed unseen."""
    table = evening()
    table.see()
    table.see(An="A5")
    table.see(An="A5", Lf="L6")
    table.see(An="A5 A6", Lf="L6")
    return table


def test_where_cards_may_have_been_destroyed_unseen_the_end_is_asked_about(evening):
    table = under_containment(evening)
    (asked,) = table.see(wait=5)
    assert asked.question == "who-withdrew"
    keys = [option.key for option in asked.options]
    assert keys[0] == "far-2" and {"far-3", "far-4", "near-3", "played-out", "nobody"} <= set(keys)
    assert asked.options[0].parts == {"seat": "far", "points": 2, "left": "5"}
    assert over(table.say(Answer(asked.id, "far-3"))) == [("near", 3, "withdrew")]
    assert table.belief.number == 2


def test_or_every_card_was_played(evening):
    table = under_containment(evening)
    (asked,) = table.see(wait=5)
    assert over(table.say(Answer(asked.id, "played-out"))) == [("near", 6, "played-out")]


def test_or_it_goes_on(evening):
    table = under_containment(evening)
    (asked,) = table.see(wait=5)
    assert over(table.say(Answer(asked.id, "nobody"))) == []
    assert table.moves_of(table.see(An="A5 A6", Lf="L6", Sf="S6")) == ["far deploy S6 S"]


def test_whoever_had_one_card_left_rather_lost_it_to_containment_than_gave_all_points_away(evening):
    """Withdrawing with the last card gives six points, as losing does; nobody answers, and the next battle begins."""
    table = evening()
    table.see()
    near, far, sea = [], [], []
    for _ in range(5):
        near.append("-")
        table.see(An=" ".join(near), Lf=" ".join(far), Sf=" ".join(sea))
        (far if len(far) < 3 else sea).append("-")
        table.see(An=" ".join(near), Lf=" ".join(far), Sf=" ".join(sea))
    table.see(An="- - - - - A5", Lf="- - -", Sf="- -")
    table.see(wait=6)
    assert [event.question for event in table.of_kind(Unsure)] == ["who-withdrew"]
    table.order = "SAL"
    table.see(Sf="-", wait=3)
    table.see(Sf="-", An="-", wait=3)
    assert table.ends == [("far", 6, "played-out")]
    assert table.belief.number == 2


def test_with_nobody_to_answer_it_is_asked_all_the_same_and_then_told_as_the_likeliest(evening):
    table = under_containment(evening)
    table.see()
    events = table.say(Closed())
    assert [e.question for e in events if isinstance(e, Unsure)] == ["who-withdrew"]
    assert over(events) == [("near", 2, "withdrew")]


def test_cards_laid_back_after_clearing_take_the_end_back(evening):
    table = evening().two_cards()
    table.see(wait=1)
    events = table.see(An="A6", Lf="L6", wait=3)
    assert any(isinstance(event, Undone) for event in events)
    assert score(table.belief) == {"near": 0, "far": 0}
    assert table.moves_of(table.see(An="A6", Lf="L6", Sn="S6")) == ["near deploy S6 S"]


def test_the_only_card_taken_up_is_a_change_of_mind_before_it_is_a_withdrawal(evening):
    table = evening()
    table.see()
    table.see(An="A6")
    assert table.see(wait=2) == []
    events = table.see(Ln="-", wait=1)
    assert [type(event) for event in events] == [Undone, MoveMade]
    assert table.moves == ["near improvise L"]


def test_the_war_ends_at_its_target(evening):
    table = evening(target=2).two_cards()
    events = table.see(wait=1)
    assert codes(events) == ["war-over"]
    assert war_winner(table.belief) == "far"
    table.see(An="A6", wait=5)
    assert over(table.events) == [("far", 2, "withdrew")]


def test_beginners_count_one_point_a_battle(evening):
    table = evening(beginner=True).two_cards()
    assert over(table.see(wait=1)) == [("far", 1, "withdrew")]


def test_beginners_win_the_war_at_three_points(evening):
    """Given beginner's mode and nothing else, when near withdraws from three battles, then far has won the war."""
    table = evening(beginner=True)
    table.see()
    for wins in range(1, 4):
        if table.belief.first == "near":
            table.see(An="A6")
            table.see(An="A6", Lf="L6")
        else:
            table.see(Lf="L6")
        assert over(table.say(Withdraw("near"))) == [("far", 1, "withdrew")]
        assert table.belief.score == {"near": 0, "far": wins}
        assert war_winner(table.belief) == ("far" if wins == 3 else None)
        table.order = "".join(rotated(table.order))
        table.see(wait=1)


def test_a_battle_played_out_ends_with_the_last_effect(evening):
    table = evening()
    table.see()
    near = ["-", "- -", "- - -", "- - - -", "- - - - -"]
    for nth in range(5):
        table.see(An=near[nth], Af=near[nth - 1] if nth else "")
        table.see(An=near[nth], Af=near[nth])
    table.see(An=near[4], Af=near[4], Sn="S1")
    events = table.see(An=near[4], Af=near[4], Sn="S1", Lf="-", wait=6)
    assert over(events) == [("near", 6, "played-out")]
    assert table.moves[-2:] == ["near decline", "far improvise L"]


def test_the_last_optional_effect_is_declined_by_the_button_or_by_the_end_of_the_film(evening):
    for told in (Done("far"), Closed()):
        table = evening()
        near, far = table.all_but_the_last_card()
        table.see(An=near, Af=far, Sf="S1")
        assert best_state(table.belief).pending == "transport"
        assert over(table.say(told)) == [("near", 6, "played-out")]


def test_the_score_can_be_corrected_at_any_time(evening):
    table = evening().two_cards()
    table.say(Correct(score={"near": 10, "far": 6}))
    table.see(wait=1)
    assert score(table.belief) == {"near": 10, "far": 8}


def last_card_under_containment(evening):
    """Containment lies, near has played six cards, and far holds its last one: withdrawing costs what playing costs."""
    table = evening()
    pile = ["- " * high for high in range(6)]
    table.see()
    for nth in range(5):
        table.see(An=pile[nth + 1], Af=pile[nth])
        table.see(An=pile[nth + 1], Af=pile[nth + 1])
    lay = {"An": pile[5] + "A5", "Af": pile[5]}
    table.see(**lay)
    assert best_state(table.belief).hand_sizes == {"near": 0, "far": 1}
    return table, lay


def test_given_a_last_card_in_hand_when_the_table_is_cleared_then_its_seat_withdrew(evening):
    table, _ = last_card_under_containment(evening)
    assert over(table.see(wait=5)) == [("near", 6, "withdrew")]
    assert table.of_kind(Unsure) == []


def test_given_a_hand_over_the_table_when_it_is_cleared_then_the_last_card_was_played_and_destroyed(evening):
    table, lay = last_card_under_containment(evening)
    table.see(**lay, wait=1)
    assert over(table.see(wait=5)) == [("near", 6, "played-out")]
    assert table.of_kind(Unsure) == []


def test_a_film_that_ends_with_few_cards_missing_under_containment_ends_with_the_battle(evening):
    table = evening(first="far")
    table.see()
    pile = ["-", "- -", "- - -", "- - - -"]
    for nth in range(3):
        table.see(Af=pile[nth], An=pile[nth - 1] if nth else "")
        table.see(An=pile[nth], Af=pile[nth])
    table.see(An=pile[2], Af=pile[3])
    table.see(An="- - - A5", Af=pile[3])
    assert best_state(table.belief).hand_sizes == {"near": 2, "far": 2}
    assert over(table.say(Closed())) == [("far", 6, "played-out")], "far is first: two ties"


def test_a_film_cut_in_mid_battle_does_not_end_it_even_under_containment(evening):
    table = evening()
    table.see()
    table.see(An="A5")
    table.see(An="A5", Lf="L6")
    assert over(table.say(Closed())) == []


def test_a_last_table_that_was_never_understood_makes_the_end_a_question(evening):
    """How many cards lay there was not certain before the boards were cleared: it may have been far's turn by then."""
    table = evening().two_cards()
    look = table.sight(An="A6 A1", Lf="L6")
    table.see(Sight(look.order, look.stacks, False, (Note("doubtful", "A/near"),)))
    (asked,) = [e for e in table.see(wait=5) if isinstance(e, Unsure)]
    assert asked.question == "who-withdrew"


def test_boards_cleared_card_by_card_are_no_question(evening):
    table = evening().two_cards()
    table.see(An="A6")
    assert over(table.see(wait=5)) == [("far", 2, "withdrew")]


def test_given_a_table_cleared_with_a_question_when_all_is_laid_back_after_dinner_then_the_battle_goes_on(evening):
    """Containment lies there, so either may have lost a card unseen: who withdrew is asked, and nobody answers."""
    table = evening(first="near", order="SAL")
    table.see(An="-")
    table.see(An="-", Af="-")
    table.see(An="-", Af="-", Sn="S2")
    table.see(An="-", Af="-", Sn="S2", Sf="S3")
    table.see(An="-", Af="A5", Sn="S2", Sf="S3", wait=3)
    before = best_state(table.belief)
    assert [q.question for q in table.see(wait=200) if isinstance(q, Unsure)] == ["who-withdrew"]
    table.see(An="-", Af="A5", Sn="S2", Sf="S3", wait=9)
    assert best_state(table.belief) == before
    assert score(table.belief) == {"near": 0, "far": 0}
    assert not table.belief.questions
