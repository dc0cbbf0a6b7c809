/* The first place in which a device keeps answers: IndexedDB.

   The connection is closed when the page is hidden for good or goes into the back/forward cache,
   and when another page asks for that; it is opened again when it is needed. Every method rejects
   when the browser refuses, and may hang when the browser does: whoever calls sets a limit. */

import { stayOutOfCache } from "./time-limits.js";

const NAME = "ochenta";
const STORE = "outbox";

const waitForResult = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/* "lost" is dispatched when the browser takes the database away. */
export class DatabaseStore extends EventTarget {
  #opening = null;
  #leaving = false;

  /* "kept" when what was written is on the disk, and not only on its way there. */
  durability = "kept";

  constructor() {
    super();
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", ({ persisted }) => this.#comeBack(persisted));
  }

  #leave() {
    this.#leaving = true;
    this.#close();
  }

  #comeBack(persisted) {
    this.#leaving = false;
    if (persisted) this.#open().catch(() => null);
  }

  #close() {
    this.#opening?.then(
      (database) => database.close(),
      () => null,
    );
    this.#opening = null;
  }

  #open() {
    if (!this.#opening) {
      const opening = stayOutOfCache(this.#connect());
      this.#opening = opening;
      opening.catch(() => this.#forget(opening));
    }
    return this.#opening;
  }

  #forget(opening) {
    if (this.#opening === opening) this.#opening = null;
  }

  async #connect() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      if (this.#leaving) request.transaction.abort();
      else createStore(request.result);
    };
    const blocked = new Promise((_, reject) => {
      request.onblocked = () => reject(new Error("blocked"));
    });
    const opened = waitForResult(request);
    try {
      const database = await Promise.race([opened, blocked]);
      database.onversionchange = () => this.#close();
      database.onclose = () => this.#lose();
      return database;
    } catch (error) {
      // who is let in after all would block others
      opened.then(
        (database) => database.close(),
        () => null,
      );
      throw error;
    }
  }

  #lose() {
    this.#opening = null;
    this.dispatchEvent(new Event("lost"));
  }

  /* Do a piece of work in one transaction; resolves when it is on the disk. */
  async #write(work, signal) {
    const database = await this.#open();
    signal?.throwIfAborted();
    const transaction = this.#begin(database, "readwrite", { durability: "strict" });
    this.durability = transaction.durability === "strict" ? "kept" : "not_kept";
    signal?.addEventListener("abort", () => abort(transaction));
    const written = new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error("aborted"));
    });
    work(transaction.objectStore(STORE));
    await stayOutOfCache(written);
  }

  #begin(database, ...mode) {
    try {
      return database.transaction(STORE, ...mode);
    } catch (error) {
      this.#close(); // a connection that breaks is not used again
      throw error;
    }
  }

  async all(person) {
    const transaction = this.#begin(await this.#open(), "readonly");
    return stayOutOfCache(waitForResult(transaction.objectStore(STORE).index("person").getAll(person)));
  }

  /* Read, change and write a box as one; what is empty after that goes. */
  async update(id, change, signal) {
    let result;
    const work = (store) => {
      store.get(id).onsuccess = ({ target }) => {
        result = change(target.result);
        if (isEmpty(result)) store.delete(id);
        else store.put(result);
      };
    };
    await this.#write(work, signal);
    return result;
  }

  clear(person, signal) {
    const work = (store) => {
      store.index("person").getAllKeys(person).onsuccess = ({ target }) =>
        target.result.forEach((id) => store.delete(id));
    };
    return this.#write(work, signal);
  }
}

export const isEmpty = ({ entries, receipts }) => !entries.length && !receipts.length;

const createStore = (database) =>
  database.createObjectStore(STORE, { keyPath: "id" }).createIndex("person", "person");

function abort(transaction) {
  try {
    transaction.abort();
  } catch {
    // it is over already
  }
}
