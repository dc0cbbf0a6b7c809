"""What the attempt's page says of unsaved answers, by itself (static/web/js/attempt-state.js)."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def names_after(visit, users):
    """Name the sentence after each list of events, in a given environment."""
    page = visit(users.learner)
    page.goto("/attempts/")

    def evaluated(**cases: str):
        return page.evaluate(
            """async () => {
              const { initialState, reduce, saveStatus } =
                await import("/static/web/js/attempt-state.js");
              const safe =
                { storage: "kept", trouble: "", isOnline: true, isElsewhere: false };
              const entry = (slot, more = {}) => ({ slot, refused: null, conflict: null, ...more });
              const read = (...entries) => ({ type: "entriesRead", entries });
              const slow = { type: "slow" };
              const typed = { type: "typed", slot: 1 };
              const saved = { type: "saved", at: "2026-01-01T10:00:00Z" };
              const say = (events, environment = {}) =>
                saveStatus(events.reduce(reduce, initialState), { ...safe, ...environment });
              return {"""
            + ",".join(f"{name}: {case}" for name, case in cases.items())
            + "}}"
        )

    return evaluated


@pytest.mark.django_db(transaction=True)
def test_what_is_said_is_never_truer_than_the_disk(names_after):
    statuses = names_after(
        nothing="say([]).name",
        saved="say([saved, read()]).name",
        older='say([saved, { type: "saved", at: "2025" }, read()]).name',
        typing="say([saved, typed]).name",
        typing_warns="say([saved, typed]).mustWarn",
        twice='say([typed, typed, { type: "enqueuing", slot: 1 }]).count',
        enqueued="""say([{ type: "enqueuing", slot: 1 }, { type: "enqueuing", slot: 1 },
          { type: "enqueued", slot: 1 }]).mustWarn""",
        enqueued_all="""say([{ type: "enqueuing", slot: 1 }, { type: "enqueued", slot: 1 },
          read(entry(1))]).mustWarn""",
        offline="say([read(entry(1))], { isOnline: false }).name",
        offline_typing="say([read(entry(1)), typed], { isOnline: false }).name",
        offline_unkept='say([read(entry(1))], { isOnline: false, storage: "not_kept" }).name',
        slow_unkept='say([read(entry(1)), slow], { storage: "not_kept" }).isAtRisk',
        rested_unkept="""say([read(entry(1)), slow, { type: "syncEnded" }],
          { storage: "not_kept" }).isAtRisk""",
        signed_out='say([read(entry(1))], { trouble: "signed_out" }).signIn',
        signed_out_unkept="""say([read(entry(1))],
          { trouble: "signed_out", storage: "not_kept" }).name""",
        network='say([read(entry(1))], { trouble: "network" }).signIn',
        failing='say([saved, read(entry(1))], { trouble: "server" }).name',
        failing_idle='say([saved, read()], { trouble: "server" }).name',
        failing_unkept='say([read(entry(1))], { trouble: "server", storage: "not_kept" }).name',
        elsewhere="say([saved, read(entry(1, { conflict: {} }))], { isElsewhere: true }).name",
        elsewhere_idle="say([saved], { isElsewhere: true }).name",
        elsewhere_unkept="""say([read(entry(1))],
          { isElsewhere: true, storage: "not_kept" }).name""",
        conflict="say([read(entry(1, { conflict: {} }))]).name",
        conflict_and_more="say([read(entry(1, { conflict: {} }), entry(2))]).name",
        refused="say([read(entry(1, { refused: {} }))]).name",
    )
    assert statuses == {
        "nothing": "",
        "saved": "saved",
        "older": "saved",
        "typing": "waiting",
        "typing_warns": True,
        "twice": 1,
        "enqueued": True,
        "enqueued_all": False,
        "offline": "offline",
        "offline_typing": "waiting",
        "offline_unkept": "at_risk",
        "slow_unkept": True,
        "rested_unkept": False,
        "signed_out": "signed_out",
        "signed_out_unkept": "signed_out_at_risk",
        "network": "",
        "failing": "failing",
        "failing_idle": "saved",
        "failing_unkept": "at_risk",
        "elsewhere": "elsewhere",
        "elsewhere_idle": "saved",
        "elsewhere_unkept": "at_risk",
        "conflict": "conflict",
        "conflict_and_more": "waiting",
        "refused": "refused",
    }
