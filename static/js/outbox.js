/* The outbox: a journal on this device of answers that the server has not acknowledged.

   It is kept by person and attempt, survives reload and crash, and is only ever emptied by the
   server's word, by the person's own decision, or by signing out. Where the browser keeps
   nothing (private windows of some), it lives as long as the page.

   Beside what waits it keeps the receipts of the last hour (queue.js), without any answer: another
   tab may have sent what was chosen here, and its word may still be on its way. */

import { receipts } from "./queue.js";

const NAME = "ochenta";
const STORE = "outbox";
const PATIENCE = 3_000;

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

/* Give a place to keep boxes in: get, update (read, change and write as one), all, clear. */
async function place() {
  try {
    const database = await open();
    const store = (mode) => database.transaction(STORE, mode).objectStore(STORE);
    return {
      all: (person) => asked(store("readonly").index("person").getAll(person)),
      update: (id, change) =>
        new Promise((resolve, reject) => {
          const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
          const boxes = transaction.objectStore(STORE);
          let result;
          boxes.get(id).onsuccess = (event) => {
            result = change(event.target.result);
            if (isEmpty(result)) boxes.delete(id);
            else boxes.put(result);
          };
          transaction.oncomplete = () => resolve(result);
          transaction.onabort = () => reject(transaction.error);
        }),
      clear: async (person) => {
        const boxes = store("readwrite");
        for (const id of await asked(boxes.index("person").getAllKeys(person))) boxes.delete(id);
      },
    };
  } catch {
    return memory();
  }
}

function memory() {
  const boxes = new Map();
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
  async boxes() {
    return (await this.#place).all(this.person);
  }

  async entries(attempt) {
    return (await this.boxes()).find((box) => box.attempt === attempt)?.entries ?? [];
  }

  /* Change the entries of an attempt by a function of queue.js, which is given the receipts too, new
     ones among them; give what the entries are now. */
  async change(attempt, url, fold, fresh = []) {
    const id = `${this.person}/${attempt}`;
    const changed = await (await this.#place).update(id, (box) => {
      const kept = receipts(box?.receipts ?? [], fresh, Date.now());
      const entries = fold(box?.entries ?? [], kept);
      return { id, person: this.person, attempt, url, entries, receipts: kept };
    });
    return changed.entries;
  }

  /* Throw away boxes in which nothing waits and whose receipts are old. */
  async tidy() {
    for (const { attempt, url, entries } of await this.boxes()) {
      if (!entries.length) await this.change(attempt, url, (all) => all);
    }
  }

  async clear() {
    await (await this.#place).clear(this.person);
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
