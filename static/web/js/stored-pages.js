/* The pages that this device stores of the person who is signed in, for when there is no network: the
   service worker stores and opens them (service-worker.js). Without one, everything is as before. */

const PAGES = "pages-";
const DRAFTS = "-drafts"; // a cache of its own: it stays when a session ends, until its person signs out
const FRESH = 600_000; // milliseconds for which a stored page is not stored anew
const { person, worker, storedAt } = document.documentElement.dataset;

/* When this page was stored, in milliseconds of the device's clock; 0: it comes from the network. */
export const storedSince = Number(storedAt ?? 0);

const isControlled = () => Boolean(navigator.serviceWorker?.controller);

/* Have the worker ready. An attempt that was opened before there was one is stored now. */
export async function register() {
  if (!worker || !navigator.serviceWorker) return;
  const isLate = !isControlled() && document.querySelector("form[data-save-url]");
  try {
    await navigator.serviceWorker.register(worker);
    if (!isLate) return;
    const { active } = await navigator.serviceWorker.ready;
    active.postMessage({ store: location.pathname });
  } catch {
    // the browser stores nothing, in a private window, say
  }
}

/* Remove what is stored of everybody else; of all, on signing out. */
export async function removePages({ all = false } = {}) {
  if (!("caches" in window)) return;
  const names = await caches.keys().catch(() => []);
  const own = all ? [] : [PAGES + person, PAGES + person + DRAFTS];
  const others = names.filter((name) => name.startsWith(PAGES) && !own.includes(name));
  await Promise.all(others.map((name) => caches.delete(name)));
}

const buildAddress = (saveUrl) => `${saveUrl}s`;
const PRACTICE = /\/practice\/save$/;

/* Store what the server has saved since the page of its attempt was stored: the newest of each slot. */
export async function storeSaves(saveUrl, saves) {
  if (!isControlled()) return;
  const address = buildAddress(saveUrl);
  const current = saves.filter(({ status }) => status === "accepted" || status === "conflict");
  try {
    if (PRACTICE.test(saveUrl)) return void (await renewPractice(saveUrl.replace(/save$/, "")));
    const cache = await caches.open(PAGES + person);
    const newest = new Map();
    for (const saved of [...(await readSaves(cache, address)), ...current]) {
      if (!(newest.get(saved.slot)?.revision > saved.revision)) newest.set(saved.slot, saved);
    }
    await cache.put(address, Response.json([...newest.values()]));
  } catch {
    // the disk is full, or the cache broken: the server has them
  }
}

/* Tries were checked from another page: what is stored of their practice is older. */
async function renewPractice(page) {
  if (location.pathname === page) return; // it goes on by itself
  const isStored = await (await caches.open(PAGES + person)).delete(page, { ignoreVary: true });
  if (isStored) navigator.serviceWorker.controller.postMessage({ store: page });
}

const readSaves = async (cache, address) => (await cache.match(address))?.json() ?? [];

/* Return what was saved since the page with this address of saves was stored. */
export async function listSaves(saveUrl) {
  if (!("caches" in window)) return [];
  return readSaves(await caches.open(PAGES + person), buildAddress(saveUrl));
}

/* Return a stored page of this person; null if there is none. */
export async function loadStored(page) {
  if (!("caches" in window)) return null;
  const stored = await (await caches.open(PAGES + person)).match(page, { ignoreVary: true });
  return stored ? new DOMParser().parseFromString(await stored.text(), "text/html") : null;
}

/* Have a page stored that is not this one, unless it was lately. */
export async function storePage(page) {
  if (!worker || !navigator.serviceWorker) return;
  const stored = await (await caches.open(PAGES + person)).match(page, { ignoreVary: true });
  if (Date.now() - Number(stored?.headers.get("X-Stored-At") ?? 0) < FRESH) return;
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ store: page });
}

const openDrafts = () => caches.open(PAGES + person + DRAFTS);

/* Keep an answer that was not sent yet, by the address of its page: also over a session that ends, for
   whoever signs in again; it goes with the sign-out, and when somebody else is here. */
export async function storeDraft(address, draft) {
  try {
    await (await openDrafts()).put(address, Response.json(draft));
  } catch {
    // the disk is full, or the browser stores nothing: it is on the page
  }
}

/* Return what `storeDraft` kept of this person; undefined for nothing. */
export async function loadDraft(address) {
  if (!("caches" in window)) return undefined;
  return (await (await openDrafts()).match(address))?.json();
}

export async function removeDraft(address) {
  if ("caches" in window) await (await openDrafts()).delete(address);
}
