/* Opens pages without a network. It is served at /sw.js, behind constants of this deploy: DEPLOY, FILES,
   HASHED, OFFLINE_PAGE, STATIC (quizzes/web/views/offline.py).

   Everything comes from the network while there is one, but files whose names have a digest. Of pages
   only open attempts, practised questions that can still be tried, and the next cards of study are
   stored, in a cache of their person, until they have ended, their person signs out, or somebody else is
   here (also static/web/js/stored-pages.js). Nothing else of a person is stored: no result, no answer of
   the API, no key but on the back of a card. */

const STATIC_CACHE = `static-${DEPLOY}`;
const PAGES = "pages-";
const SCOPE = new URL(registration.scope).pathname;
const ATTEMPT = new RegExp(`^${SCOPE}attempts/[0-9a-f-]{36}/`);
const PRACTICE = new RegExp(`^${SCOPE}quizzes/[^/]+/practice/$`);
const TRY = / data-practice\s/; // the form of a try: without it the page shows what is right
const STUDY = `${SCOPE}study/`;
const CARDS = `${STUDY}cards`; // stands for the pages of study without a network
const CHANGES_PERSON = new RegExp(`^${SCOPE}(accounts|guest)/`);
const SIGN_OUT = `${SCOPE}accounts/logout/`;
const DRAFTS = /-drafts$/; // what a person typed: whoever signs in again finds it (stored-pages.js)
const MEDIA = `${SCOPE}media/`;

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", ({ data }) => data.store && store(data.store));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  const page = findStorable(pathname);
  if (request.mode === "navigate") {
    if (request.method !== "GET" && CHANGES_PERSON.test(pathname)) event.waitUntil(removeAll(pathname === SIGN_OUT));
    if (request.method === "GET" || page) event.respondWith(open(event, pathname, page));
  } else if (request.method === "GET") {
    if (pathname.startsWith(STATIC)) event.respondWith(loadFile(request));
    if (pathname.startsWith(MEDIA) && request.destination === "image") event.respondWith(loadImage(request));
  }
});

/* Return the page that is stored of this address or one below it; undefined: none. */
function findStorable(pathname) {
  if ([STUDY, `${STUDY}card`, CARDS].includes(pathname)) return CARDS;
  return (ATTEMPT.exec(pathname) ?? PRACTICE.exec(pathname))?.[0];
}

async function install() {
  const cache = await caches.open(STATIC_CACHE);
  const mode = HASHED ? "default" : "no-cache";
  await cache.addAll([OFFLINE_PAGE, ...FILES].map((url) => new Request(url, { cache: mode })));
  await skipWaiting();
}

async function activate() {
  await registration.navigationPreload?.enable();
  await dropOldFiles();
  await clients.claim();
}

/* Answer a navigation: by the network, else by what is stored. */
async function open(event, pathname, page) {
  const { request } = event;
  const isPage = pathname === page && request.method === "GET";
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(request));
    if (isPage && answer.ok) event.waitUntil(storeAnswer(page, answer.clone()));
    else if (isPage && answer.status >= 500) return (await findPage(page)) ?? answer;
    else if (page && isGone(answer, { isPage, pathname })) await remove(page);
    return answer;
  } catch {
    const stands = isPage || (page === CARDS && request.method === "GET");
    return (stands && (await findPage(page))) || caches.match(OFFLINE_PAGE);
  }
}

/* Return whether the page is another one now, or none: what leads elsewhere has ended it, or changed
   it, and then it comes again. */
const isGone = ({ type, ok, status }, { isPage, pathname }) =>
  type === "opaqueredirect" || (isPage && status >= 400) || (ok && pathname.endsWith("/result"));

/* Store a page that was open before this worker was, or that has changed: a try was checked from another
   page, say. */
async function store(page) {
  if (findStorable(page) !== page) return;
  const answer = await fetch(page, { cache: "no-store", redirect: "manual" });
  if (answer.ok) await storeAnswer(page, answer);
  else if (isGone(answer, { isPage: true, pathname: page })) await remove(page);
}

/* What an attempt asks that was opened is live from now on: cards and practised questions come anew,
   without what was said of it. */
async function storeOthersAnew(cache) {
  const pages = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  for (const page of pages.filter((each) => each === CARDS || PRACTICE.test(each))) {
    await cache.delete(page, { ignoreVary: true });
    await store(page);
  }
}

async function storeAnswer(page, answer) {
  const html = await answer.text();
  const [, person] = html.match(/ data-person="([^"]+)"/) ?? [];
  if (!person) return;
  if (PRACTICE.test(page) && !TRY.test(html)) return void (await remove(page));
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("X-Stored-At", String(Date.now()));
  headers.set("X-Deploy", DEPLOY);
  const cache = await caches.open(PAGES + person);
  const isNew = !(await cache.match(page, { ignoreVary: true }));
  await cache.put(page, new Response(html, { headers }));
  if (page === CARDS) await cache.delete(`${STUDY}saves`); // the page knows of them
  else if (isNew && ATTEMPT.test(page)) await storeOthersAnew(cache);
  await Promise.all(listImages(html).map((url) => cache.add(url).catch(() => null)));
  if (HASHED) await dropOldFiles();
  else await dropOtherFiles(); // of the same names: the newest page is to find its own
}

const listImages = (html) =>
  [...html.matchAll(/<img[^>]* src="([^"]+)"/g)].map(([, url]) => url).filter((url) => url.startsWith(MEDIA));

/* Return a stored page, which says since when it is: its clock and its answers are as old. */
async function findPage(page) {
  const stored = await caches.match(page, { ignoreVary: true });
  if (!stored) return null;
  const mark = `<html data-stored-at="${stored.headers.get("X-Stored-At")}"`;
  return new Response((await stored.text()).replace("<html", mark), { headers: stored.headers });
}

const listCaches = async (prefix) => (await caches.keys()).filter((name) => name.startsWith(prefix));

async function remove(page) {
  for (const name of await listCaches(PAGES)) {
    const cache = await caches.open(name);
    const stored = await cache.match(page, { ignoreVary: true });
    const images = stored ? listImages(await stored.text()) : [];
    for (const url of [page, `${page}saves`, ...images]) await cache.delete(url, { ignoreVary: true });
  }
  await dropOldFiles();
}

async function removeAll(withDrafts) {
  for (const name of await listCaches(PAGES)) if (withDrafts || !DRAFTS.test(name)) await caches.delete(name);
}

/* Drop the files of other deploys once no page of theirs is stored, which may ask for them. */
async function dropOldFiles() {
  const deploys = [];
  for (const name of await listCaches(PAGES)) {
    const pages = (await (await caches.open(name)).matchAll()).filter(({ headers }) => headers.has("X-Stored-At"));
    deploys.push(...pages.map(({ headers }) => headers.get("X-Deploy")));
  }
  if (!deploys.includes(null)) await dropOtherFiles(deploys); // null: which one is not known
}

async function dropOtherFiles(deploys = []) {
  if (registration.installing || registration.waiting) return; // whose files are not old
  const stays = [DEPLOY, ...deploys].map((deploy) => `static-${deploy}`);
  for (const name of await listCaches("static-")) if (!stays.includes(name)) await caches.delete(name);
}

async function loadFile(request) {
  const find = () => caches.match(request, { ignoreVary: true });
  const stored = HASHED ? await find() : undefined;
  if (stored) return stored;
  try {
    const answer = await fetch(request);
    if (!answer.ok) return (await find()) ?? answer;
    const cache = await caches.open(STATIC_CACHE);
    await cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    return (await find()) ?? Promise.reject(error);
  }
}

async function loadImage(request) {
  try {
    return await fetch(request);
  } catch (error) {
    return (await caches.match(request, { ignoreVary: true })) ?? Promise.reject(error);
  }
}
