"""The queue of unsent answers, by itself: entries in, entries out (static/web/js/queue.js)."""

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def run(visit, users):
    """Evaluate lines of script that know the functions of queue.js and of paths.js."""
    page = visit(users.learner)
    page.goto("/attempts/")

    def evaluated(lines: str):
        return page.evaluate(
            """async () => {
              const { add, take, settle, refuse, retry, listReadable, listUndecided, countWaiting,
                keepTheirs, buildReceipt, mergeReceipts } = await import("/static/web/js/queue.js");
              const { getValue, setValue, isSameResponse } =
                await import("/static/web/js/paths.js");
              const paths = ["text"];
              const say = (text, idempotencyKey, more = {}) =>
                ({ slot: 0, answer: { text }, flagged: false, paths, baseRevision: 3,
                   idempotencyKey, ...more });
              const stands = (text, revision) => ({
                status: "conflict", revision, answer: { text }, flagged: false });
            """
            + lines
            + "}"
        )

    return evaluated


@pytest.mark.django_db(transaction=True)
def test_the_queue_keeps_its_promises(run):
    """One browser for all of them: each line is a promise, told as what it gives."""
    outcome = run("""
      const sent = take(add([], say("a", "1")))[0];
      const followed = add(sent, say("ab", "2"));
      const refused = refuse(sent, "1", { code: "no" });
      const conflict = settle(sent, "1", stands("z", 7));
      const partly = { status: "accepted", revision: 4, format_error: { code: "no" } };
      const left = settle(sent, "1", partly);
      const other = say("there", "9", { client: "other" });
      const mine = ({ client }) => client !== "other";
      const told = (entry) => [entry.idempotencyKey, entry.baseRevision, entry.refused];
      return {
        replaced: add(add([], say("a", "1")), say("ab", "2")).map((one) => one.idempotencyKey),
        followed: followed.map((one) => one.baseRevision),
        acknowledged: settle(followed, "1", { status: "accepted", revision: 4 })[0].baseRevision,
        overtaken: refuse(followed, "1", {}).map((one) => [one.idempotencyKey, one.baseRevision]),
        kept: refused.map((one) => one.refused.code),
        unsent: take(refused)[1].length,
        corrected: add(refused, say("b", "3")).map(told),
        asked: take(retry(refused))[1].length,
        over: listReadable(refused).length,
        open: listUndecided(conflict).length,
        unseen: add(conflict, say("b", "4"), { decided: false })
          .map((one) => [one.answer.text, one.conflict.revision]),
        decided: add(conflict, say("b", "4")).map((one) => [one.baseRevision, one.conflict]),
        partly: left.map((one) => [one.answer.text, one.baseRevision, one.refused.code]),
        mended: add(left, say("b", "8")).map(told),
        goneOn: settle(followed, "1", partly).map(told),
        tooLate: settle(sent, "1", { ...partly, status: "late" }).length,
        met: add([other], say("here", "5"), { seen: mine }).map((one) => one.baseRevision),
        theirs: keepTheirs(conflict, 0).length,
        together: countWaiting([other, say("b", "6"), say("c", "7", { slot: 1 })]),
      };
    """)
    assert outcome == {
        "replaced": ["2"],
        "followed": [3, None],
        "acknowledged": 4,
        "overtaken": [["2", 3]],
        "kept": ["no"],
        "unsent": 0,
        "corrected": [["3", 3, None]],
        "asked": 1,
        "over": 0,
        "open": 1,
        "unseen": [["b", 7]],
        "decided": [[7, None]],
        "partly": [["a", 4, "no"]],
        "mended": [["8", 4, None]],
        "goneOn": [["2", 4, None]],
        "tooLate": 0,
        "met": [3, 3],
        "theirs": 0,
        "together": 2,
    }


@pytest.mark.django_db(transaction=True)
def test_a_receipt_says_over_what_the_next_answer_is_given(run):
    outcome = run("""
      const got = (idempotencyKey, revision, slot = 0) =>
        ({ slot, idempotencyKey, revision, at: 0 });
      const mine = ({ idempotencyKey }) => idempotencyKey !== "theirs";
      const based = (...receipts) =>
        add([], say("b", "2"), { seen: mine, receipts })[0].baseRevision;
      const seen = { seen: mine, receipts: [got("1", 4)] };
      const beside = add([say("c", "theirs")], say("b", "2"), seen);
      const word = (status, text) => buildReceipt(say("a", "1"), { ...stands(text, 7), status });
      const kept = (old, fresh, now) => mergeReceipts(old, fresh, now)
        .map(({ slot, idempotencyKey, revision, at }) => [slot, idempotencyKey, revision, at]);
      return {
        mine: based(got("1", 4)),
        theirs: based(got("theirs", 4)),
        older: based(got("1", 2)),
        elsewhere: based(got("1", 4, 1)),
        beside: beside.map((one) => one.baseRevision),
        accepted: word("accepted", "a"),
        same: word("conflict", "a"),
        asked: word("conflict", "z"),
        late: word("late", "a"),
        newest: kept([got("1", 4), got("2", 1, 1)], [got("3", 5)], 9),
        overtaken: kept([got("3", 5)], [got("1", 4)], 9),
        forgotten: kept([got("1", 4)], [], 3_600_000),
      };
    """)
    word = [{"slot": 0, "idempotencyKey": "1", "revision": 7}]
    assert outcome == {
        "mine": 4,
        "theirs": 3,
        "older": 3,
        "elsewhere": 3,
        "beside": [3, 4],
        "accepted": word,
        "same": word,
        "asked": [],
        "late": [],
        "newest": [[0, "3", 5, 9], [1, "2", 1, 0]],
        "overtaken": [[0, "3", 5, 0]],
        "forgotten": [],
    }


@pytest.mark.django_db(transaction=True)
def test_answers_are_compared_as_far_as_the_page_can_say_them(run):
    outcome = run("""
      const is = (one, other, ...paths) =>
        isSameResponse({ answer: one, flagged: false }, { answer: other, flagged: false }, paths);
      const made = {};
      setValue(made, "gaps.g.typed", "3");
      setValue(made, "order[]", ["a"]);
      return [
        is({ typed: "3" }, { typed: "3", number: [3, 1] }, "typed"),
        is({ typed: "3" }, { typed: "4", number: [3, 1] }, "typed"),
        is({ chosen: ["a", "b"] }, { chosen: ["b", "a"], none: false }, "chosen{}", "none"),
        is({ order: ["a", "b"] }, { order: ["b", "a"] }, "order[]"),
        is({ text: " e\\u0301 " }, { text: "\\u00e9" }, "text"),
        is(null, {}, "text"),
        is(null, null, "text"),
        isSameResponse({ answer: null, flagged: true }, { answer: null, flagged: false }, []),
        made,
        getValue(made, "gaps.g.typed"),
        getValue(null, "gaps.g.typed") === undefined,
      ];
    """)
    raw = {"gaps": {"g": {"typed": "3"}}, "order": ["a"]}
    assert outcome == [True, False, True, False, True, False, True, False, raw, "3", True]
