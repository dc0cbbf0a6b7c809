/* The outbox: a journal on this device of answers that the server has not acknowledged.

   It is kept by person and attempt, survives reload and crash, and is only ever emptied by the
   server's word, by the person's own decision, or by signing out. IndexedDB keeps it; when that
   refuses or does not answer in time, memory takes over at once, with a copy in files, until IndexedDB
   is back. `durability` says what is true of the disk at this moment.

   Beside what waits it keeps the receipts of the last hour (queue.js), without any answer: another
   tab may have sent what was chosen here, and its word may still be on its way. */

import { DatabaseStore } from "./database-store.js";
import { FileStore, readFilesSoon, removeFiles } from "./file-store.js";
import { join, mergeReceipts } from "./queue.js";
import { within } from "./time-limits.js";

export { uuid } from "./uuid.js";

const PATIENCE = 2_000;
const PAUSES = [1_000, 5_000, 15_000, 60_000];

/* Join two states of one box. */
const joinBoxes = (box, other) =>
  box
    ? {
        ...other,
        entries: join(box.entries, other.entries),
        receipts: mergeReceipts([...box.receipts, ...other.receipts], [], Date.now()),
      }
    : other;

const outboxes = new Map();

/* "durability" is dispatched when `durability` may have changed. */
export class Outbox extends EventTarget {
  #database = new DatabaseStore();
  #files;
  #store = this.#database;
  #turn;
  #boxes = new Map(); // as last read or written: what another store begins with
  #lost = null; // boxes that the browser threw away, until they are written anew
  #failures = 0;

  /* Return the one outbox that a page has of a person. */
  static of(person) {
    if (!outboxes.has(person)) outboxes.set(person, new Outbox(person));
    return outboxes.get(person);
  }

  constructor(person) {
    super();
    this.person = person;
    this.#files = new FileStore(person);
    this.#files.addEventListener("durability", () => this.#notify());
    this.#database.addEventListener("lost", () => this.#rewrite());
    this.#turn = this.#takeInFiles().catch(() => null);
  }

  /* "kept": what was changed is on the disk; "writing": soon; "not_kept": only this page has it. */
  get durability() {
    return this.#lost ? "writing" : this.#store.durability;
  }

  /* Get the second store ready, for a page on which much is written. */
  prepare() {
    this.#files.prepare();
  }

  #notify() {
    this.dispatchEvent(new Event("durability"));
  }

  /* Return all boxes of this person: {attempt, url, entries, receipts}. */
  boxes() {
    return this.#use((store) => this.#read(store));
  }

  async #read(store) {
    const boxes = await store.all(this.person);
    this.#boxes = new Map(boxes.map((box) => [box.id, box]));
    return boxes;
  }

  async #update(store, id, change, signal) {
    const box = await store.update(id, change, signal);
    if (!signal?.aborted) this.#boxes.set(id, box);
    return box;
  }

  /* One after another; never longer than the patience, for then another store takes over. */
  #use(work) {
    const result = this.#turn.then(() => this.#do(work));
    this.#turn = result.catch(() => null);
    return result;
  }

  async #do(work) {
    if (this.#store === this.#database) {
      try {
        return await within(PATIENCE, async (signal) => {
          if (this.#lost) await this.#join(this.#lost, signal);
          this.#lost = null;
          return work(this.#database, signal);
        });
      } catch {
        this.#fallBack();
      }
    }
    return work(this.#files);
  }

  #fallBack() {
    this.#store = this.#files;
    this.#lost = null;
    this.#files.begin([...this.#boxes.values()]);
    this.#notify();
    this.#recoverLater();
  }

  #recoverLater() {
    const pause = PAUSES[Math.min(this.#failures, PAUSES.length - 1)];
    this.#failures += 1;
    setTimeout(() => this.#recover(), pause);
  }

  /* Go back to the database, once it holds all that the files do. Nobody waits for this. */
  async #recover() {
    const { version, boxes } = this.#files;
    try {
      await this.#database.all(this.person); // takes as long as the browser hangs
      await within(PATIENCE, (signal) => this.#join(boxes, signal));
      await this.#turn;
    } catch {
      this.#recoverLater();
      return;
    }
    if (version !== this.#files.version) {
      this.#recover();
      return;
    }
    this.#store = this.#database;
    this.#failures = 0;
    this.#files.clear();
    this.#notify();
  }

  /* Write boxes of another store into the database. */
  async #join(boxes, signal) {
    for (const box of boxes) {
      await this.#database.update(box.id, (there) => joinBoxes(there, box), signal);
    }
  }

  /* The browser threw the database away: write all that this page knows of into a new one. */
  #rewrite() {
    if (this.#store !== this.#database) return;
    this.#lost = [...this.#boxes.values()];
    this.#notify();
    this.#use(() => null).finally(() => this.#notify());
  }

  /* Take in what earlier pages left in files, and throw these away when it is safe elsewhere. */
  async #takeInFiles() {
    for (const { names, boxes } of await readFilesSoon(this.person)) {
      for (const box of boxes) {
        const change = (there) => joinBoxes(there, box);
        await this.#do((store, signal) => this.#update(store, box.id, change, signal));
      }
      if (this.#store === this.#database) await removeFiles(this.person, names).catch(() => null);
    }
  }

  async entries(attempt) {
    return (await this.boxes()).find((box) => box.attempt === attempt)?.entries ?? [];
  }

  /* Change the entries of an attempt by a function of queue.js, which is given the receipts too, new
     ones among them; give what the entries are now. */
  async change(attempt, url, fold, fresh = []) {
    const id = `${this.person}/${attempt}`;
    const rewrite = (box) => {
      const newest = mergeReceipts(box?.receipts ?? [], fresh, Date.now());
      const entries = fold(box?.entries ?? [], newest);
      return { id, person: this.person, attempt, url, entries, receipts: newest };
    };
    return (await this.#use((store, signal) => this.#update(store, id, rewrite, signal))).entries;
  }

  /* Throw away boxes in which nothing waits and whose receipts are old. */
  async tidy() {
    for (const { attempt, url, entries } of await this.boxes()) {
      if (!entries.length) await this.change(attempt, url, (all) => all);
    }
  }

  /* Throw all of this person away, in every store. */
  async clear() {
    await this.#use((store, signal) => store.clear(this.person, signal));
    this.#boxes.clear();
    for (const { names } of await readFilesSoon(this.person)) {
      await removeFiles(this.person, names).catch(() => null);
    }
  }
}
