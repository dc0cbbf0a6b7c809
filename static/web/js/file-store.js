/* The second place in which a device keeps answers, for when the first does not answer: memory, with
   a copy in files that a worker writes (file_worker.js).

   Nobody waits for the files: `durability` says whether the newest state is on the disk ("kept"), on
   its way ("writing"), or neither ("not_kept"). Each page has files of its own, which the next page
   of the same person reads. The page holds a lock on them: files of living pages are left alone. */

import { isEmpty } from "./database-store.js";
import { uuid } from "./uuid.js";
import { within } from "./time-limits.js";

const PATIENCE = 2_000;
const LOOK = 5_000;

const buildFolderName = (person) => `outbox-${person}`;
const buildLockName = (page) => `ochenta-file-${page}`;

/* "durability" is dispatched when the word on the files changes. */
export class FileStore extends EventTarget {
  #boxes = new Map();
  #page = uuid();
  #worker = null;
  #sequence = 0;
  #timer = 0;
  #watch = 0;

  durability = "writing";

  constructor(person) {
    super();
    this.person = person;
  }

  /* Have the worker ready: without a network it could not be fetched. */
  prepare() {
    if (this.#worker) return;
    try {
      this.#worker = new Worker(new URL("./file-worker.js", import.meta.url));
    } catch {
      return;
    }
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = () => {
      this.#worker = null;
      this.#hear({ sequence: this.#sequence, error: "no worker" });
    };
    navigator.locks?.request(buildLockName(this.#page), () => new Promise(() => null)).catch(() => null);
  }

  /* Take over with these boxes. */
  begin(boxes) {
    this.prepare();
    this.#boxes = new Map(boxes.map((box) => [box.id, box]));
    this.#write();
    this.#watch ||= setInterval(() => this.#post(undefined), LOOK);
  }

  /* The number of this state: each change makes another one. */
  get version() {
    return this.#sequence;
  }

  get boxes() {
    return [...this.#boxes.values()];
  }

  async all(person) {
    return this.boxes.filter((box) => box.person === person);
  }

  async update(id, change) {
    const result = change(this.#boxes.get(id));
    if (isEmpty(result)) this.#boxes.delete(id);
    else this.#boxes.set(id, result);
    this.#write();
    return result;
  }

  async clear() {
    this.#boxes.clear();
    this.#write();
  }

  #write() {
    this.#sequence += 1;
    this.#post(JSON.stringify({ sequence: this.#sequence, boxes: this.boxes }));
    if (this.durability === "kept") this.#setDurability("writing");
  }

  #post(text) {
    const sequence = this.#sequence;
    const message = { folder: buildFolderName(this.person), page: this.#page, sequence, text };
    const refused = () => this.#hear({ sequence, error: "no answer" });
    if (!this.#worker) return void queueMicrotask(refused);
    this.#worker.postMessage(message);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(refused, PATIENCE);
  }

  /* Only the word on the newest state counts. */
  #hear({ sequence, error }) {
    if (sequence !== this.#sequence) return;
    clearTimeout(this.#timer);
    this.#setDurability(error ? "not_kept" : "kept");
  }

  #setDurability(durability) {
    if (this.durability === durability) return;
    this.durability = durability;
    this.dispatchEvent(new Event("durability"));
  }
}

/* Read what earlier pages of this person left in files: [{names, boxes}], a page each. */
export async function readFiles(person) {
  const folder = await findFolder(person);
  if (!folder) return [];
  const { held: locks } = await navigator.locks.query();
  const living = new Set(locks.map(({ name }) => name));
  const pages = new Map();
  for await (const [name, handle] of folder) {
    const page = name.slice(0, name.lastIndexOf("."));
    if (living.has(buildLockName(page))) continue;
    const states = pages.get(page) ?? [];
    pages.set(page, [...states, { name, ...(await readState(handle)) }]);
  }
  return [...pages.values()].map((states) => ({
    names: states.map(({ name }) => name),
    boxes: states.reduce((newest, state) => (state.sequence > newest.sequence ? state : newest)).boxes,
  }));
}

/* What was interrupted while it was written cannot be read, and is older than the other. */
async function readState(handle) {
  try {
    return JSON.parse(await (await handle.getFile()).text());
  } catch {
    return { sequence: 0, boxes: [] };
  }
}

async function findFolder(person) {
  if (!navigator.storage?.getDirectory || !navigator.locks) return null;
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(buildFolderName(person));
  } catch {
    return null;
  }
}

export async function removeFiles(person, names) {
  const folder = await findFolder(person);
  for (const name of folder ? names : []) await folder.removeEntry(name).catch(() => null);
}

/* Read files, but not for ever. */
export const readFilesSoon = (person) => within(PATIENCE, () => readFiles(person)).catch(() => []);
