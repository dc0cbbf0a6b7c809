/* The outbox: a journal on this device of answers that the server has not acknowledged.

   It is kept by person and attempt, survives reload and crash, and is only ever emptied by the
   server's word, by the person's own decision, or by signing out. Where the browser keeps
   nothing (private windows of some) or breaks down, it lives as long as the page.

   Beside what waits it keeps the receipts of the last hour (queue.js), without any answer: another
   tab may have sent what was chosen here, and its word may still be on its way. */

import { receipts } from "./queue.js";

const NAME = "ochenta";
const STORE = "outbox";
const PATIENCE = 10_000; // a slow device is not one that keeps nothing

const asked = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const isEmpty = ({ entries, receipts }) => !entries.length && !receipts.length;

function open() {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("person", "person");
  };
  const late = new Promise((_, reject) => setTimeout(reject, PATIENCE, new Error("no answer")));
  return Promise.race([asked(request), late]);
}

/* Give a place to keep boxes in: all, update (read, change and write as one), clear. */
async function place() {
  try {
    const database = await open();
    const boxes = () => database.transaction(STORE).objectStore(STORE);
    return {
      all: (person) => asked(boxes().index("person").getAll(person)),
      update: async (id, change) => {
        let result;
        await written(database, (store) => {
          store.get(id).onsuccess = (event) => {
            result = change(event.target.result);
            if (isEmpty(result)) store.delete(id);
            else store.put(result);
          };
        });
        return result;
      },
      clear: (person) =>
        written(database, (store) => {
          store.index("person").getAllKeys(person).onsuccess = (event) =>
            event.target.result.forEach((id) => store.delete(id));
        }),
    };
  } catch {
    return memory();
  }
}

/* Do a piece of work on the store; resolves when it is on the disk. */
const written = (database, work) =>
  new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
    work(transaction.objectStore(STORE));
  });

function memory(known = []) {
  const boxes = new Map(known.map((box) => [box.id, box]));
  return {
    all: async (person) => [...boxes.values()].filter((box) => box.person === person),
    update: async (id, change) => {
      const result = change(boxes.get(id));
      if (isEmpty(result)) boxes.delete(id);
      else boxes.set(id, result);
      return result;
    },
    clear: async (person) => {
      for (const [id, box] of boxes) if (box.person === person) boxes.delete(id);
    },
  };
}

export class Outbox {
  #place = place();

  constructor(person) {
    this.person = person;
  }

  /* Give all boxes of this person: {attempt, url, entries, receipts}. */
  boxes() {
    return this.#use((place) => place.all(this.person));
  }

  /* Use the place. When it breaks down (a full disk, a browser that lost its store), memory takes over
     with what can still be read. */
  async #use(work) {
    const used = this.#place;
    try {
      return await work(await used);
    } catch {
      if (this.#place === used) this.#place = used.then((place) => this.#remembered(place));
      return work(await this.#place);
    }
  }

  async #remembered(place) {
    try {
      return memory(await place.all(this.person));
    } catch {
      return memory();
    }
  }

  async entries(attempt) {
    return (await this.boxes()).find((box) => box.attempt === attempt)?.entries ?? [];
  }

  /* Change the entries of an attempt by a function of queue.js, which is given the receipts too, new
     ones among them; give what the entries are now. */
  async change(attempt, url, fold, fresh = []) {
    const id = `${this.person}/${attempt}`;
    const told = (box) => {
      const kept = receipts(box?.receipts ?? [], fresh, Date.now());
      const entries = fold(box?.entries ?? [], kept);
      return { id, person: this.person, attempt, url, entries, receipts: kept };
    };
    return (await this.#use((place) => place.update(id, told))).entries;
  }

  /* Throw away boxes in which nothing waits and whose receipts are old. */
  async tidy() {
    for (const { attempt, url, entries } of await this.boxes()) {
      if (!entries.length) await this.change(attempt, url, (all) => all);
    }
  }

  async clear() {
    await this.#use((place) => place.clear(this.person));
  }
}

/* Make an id; pages that come without TLS over a network have no crypto.randomUUID. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
