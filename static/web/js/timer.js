/* The time left, by the server's clock: a courtesy. It speaks at 10, 5 and 1 minute.

   The device's own clock is not asked: seconds are counted from when the page came, and the server
   is asked anew whenever the window comes back, after a save, and every few seconds: more time, a
   pause and messages show within 15 s, and are said in words, also where they came between two
   pages. Its answer tells as well whether the attempt is open on another device: `elsewhere`. */

import { Messages } from "./messages.js";
import { storedSince } from "./stored-pages.js";

const SPEAKS = [10, 5, 1];
const HIDE = "hide-timer";
const DEADLINE = "deadline-"; // of an attempt: the latest that this tab knows
const PATIENCE = 5_000; // time is over all the same where the network hangs
const INTERVAL = 12_000;
const SPREAD = 2_000; // a class that begins together does not ask together
const RECENT = 5_000; // saves ask no oftener than this
const PAUSES = [2_000, 4_000, 8_000, 15_000, 30_000]; // until a question without an answer is asked again

export class Timer {
  #ends; // without a limit: never
  #pausedUntil = 0;
  #over = false;
  #isLastQuestionAsked = false;
  #spoken = new Set();
  #failures = 0;
  #retry = 0;
  #askedAt = 0;
  #turn = Promise.resolve(); // one question at a time: no answer overtakes a newer one

  constructor(box, { url, over, elsewhere }) {
    this.box = box;
    this.url = url;
    this.over = over;
    this.elsewhere = elsewhere;
    this.clock = box.querySelector("[data-timer-clock]");
    this.voice = box.querySelector("[data-timer-voice]");
    this.given = box.querySelector("[data-timer-given]");
    this.pause = box.querySelector("[data-timer-pause]");
    this.messages = new Messages(document.querySelector("[data-messages]"));
    this.#start(box.dataset);
    for (const minutes of SPEAKS) if (this.left < minutes * 60) this.#spoken.add(minutes);
    this.#announceGiven(box.dataset.deadline);
    this.#hiding(box.querySelector("[data-timer-hide]"));
    setInterval(() => this.#tick(), 250);
    this.#tick();
    for (const sign of ["focus", "online", "pageshow"]) addEventListener(sign, () => this.ask());
    document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    setInterval(() => this.ask(), INTERVAL + Math.random() * SPREAD);
  }

  get left() {
    const now = Math.max(performance.now(), this.#pausedUntil);
    return Math.max(0, Math.ceil((this.#ends - now) / 1000));
  }

  get isPaused() {
    return this.#pausedUntil > performance.now();
  }

  #set(seconds, paused) {
    this.#pausedUntil = performance.now() + paused * 1000;
    this.#ends = seconds === null ? Infinity : this.#pausedUntil + seconds * 1000;
  }

  /* Begin with what the page says; one that was stored on the device says what was left then. */
  #start({ remaining, paused }) {
    const age = storedSince ? Math.max(0, (Date.now() - storedSince) / 1000) : 0;
    const left = Number(remaining) - Math.max(0, age - Number(paused));
    this.#set(remaining === "" ? null : Math.max(0, left), Math.max(0, Number(paused) - age));
  }

  /* Ask the server, and show what it says; without an answer, ask again soon. */
  async ask() {
    clearTimeout(this.#retry);
    if (await this.#listen()) this.#failures = 0;
    else this.#askLater();
    this.#tick();
  }

  /* Ask now, or soon if that was done a moment ago: saves follow one another fast. */
  refresh() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.ask(), this.#askedAt + RECENT - performance.now());
  }

  #askLater() {
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
    this.#failures += 1;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.ask(), pause);
  }

  #listen() {
    this.#turn = this.#turn.then(() => this.#fetch());
    return this.#turn;
  }

  /* Take in what the server says; return whether it answered. Half the way there and back is how
     old its answer is. */
  async #fetch() {
    const began = performance.now();
    this.#askedAt = began;
    try {
      const response = await fetch(this.url, {
        cache: "no-store",
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!response.ok) return false;
      const { open, remaining, paused, deadline, messages, elsewhere } = await response.json();
      this.messages.show(messages);
      this.elsewhere(elsewhere);
      const age = paused ? 0 : (performance.now() - began) / 2000;
      this.#set(remaining === null ? null : Math.max(0, remaining - age), paused);
      this.#announceGiven(deadline);
      if (!open) this.#end();
      return true;
    } catch {
      return false; // without a network the count goes on as it was
    }
  }

  #tick() {
    this.#announcePause();
    if (this.clock) this.#showLeft(this.left);
  }

  #showLeft(left) {
    const minutes = Math.floor(left / 60);
    const hours = Math.floor(minutes / 60);
    const pad = (number) => String(number).padStart(2, "0");
    const short = `${pad(minutes % 60)}:${pad(left % 60)}`;
    const text = hours ? `${hours}:${short}` : short;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.#speak(left);
    if (!left && !this.isPaused) this.#lastWord();
  }

  /* Say that the time stands still, and that it goes on; nothing is said twice. */
  #announcePause() {
    const { wordsPaused, wordsResumed } = this.pause.dataset;
    const isSaid = this.pause.textContent.trim() === wordsPaused;
    if (isSaid === this.isPaused) return;
    this.pause.textContent = this.isPaused ? wordsPaused : wordsResumed;
  }

  /* Somebody may have been given more time since: the server is asked once more. */
  async #lastWord() {
    if (this.#isLastQuestionAsked) return;
    this.#isLastQuestionAsked = true;
    await this.#listen();
    if (this.left || this.isPaused) this.#isLastQuestionAsked = false;
    else this.#end();
  }

  #speak(left) {
    const due = SPEAKS.filter((minutes) => left <= minutes * 60 && !this.#spoken.has(minutes));
    if (!due.length || !left) return;
    due.forEach((minutes) => this.#spoken.add(minutes));
    const { wordsMany, wordsOne } = this.voice.dataset;
    const minutes = Math.ceil(left / 60);
    this.voice.textContent = minutes === 1 ? wordsOne : wordsMany.replace("{n}", String(minutes));
  }

  /* Say how much time was given since this tab last knew the deadline; warnings begin anew. */
  #announceGiven(deadline) {
    if (!deadline) return;
    const name = DEADLINE + this.box.dataset.attempt;
    const known = sessionStorage.getItem(name) ?? deadline;
    sessionStorage.setItem(name, deadline);
    const given = (Date.parse(deadline) - Date.parse(known)) / 60_000;
    if (!(given > 0)) return;
    const { wordsMany, wordsOne, wordsSome } = this.given.dataset;
    const words = given === 1 ? wordsOne : wordsMany.replace("{n}", String(given));
    this.given.textContent = Number.isInteger(given) ? words : wordsSome;
    for (const minutes of SPEAKS) if (this.left > minutes * 60) this.#spoken.delete(minutes);
  }

  #end() {
    if (this.#over) return;
    this.#over = true;
    const { wordsOver, wordsOverOffline } = this.voice.dataset;
    this.voice.textContent = navigator.onLine ? wordsOver : wordsOverOffline;
    this.voice.classList.replace("visually-hidden", "timer-over");
    this.over();
  }

  #hiding(button) {
    if (!button) return;
    const apply = (hidden) => {
      this.box.toggleAttribute("data-hidden", hidden);
      button.setAttribute("aria-pressed", String(hidden));
    };
    button.hidden = false;
    apply(sessionStorage.getItem(HIDE) === "yes");
    button.addEventListener("click", () => {
      const hidden = !this.box.hasAttribute("data-hidden");
      sessionStorage.setItem(HIDE, hidden ? "yes" : "no");
      apply(hidden);
    });
  }
}
