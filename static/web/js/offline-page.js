/* The page for whatever is not stored on this device: it leads to the attempts, practised questions and
   cards that are, and to the page itself once there is a network. */

const PAGE = /\/(attempts\/[^/]+\/|quizzes\/[^/]+\/practice\/|study\/cards)$/;

async function listStored() {
  const pages = [];
  for (const name of (await caches.keys()).filter((each) => each.startsWith("pages-"))) {
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      if (PAGE.test(url)) pages.push({ url, html: await (await cache.match(url)).text() });
    }
  }
  return pages;
}

function buildItem({ url, html }) {
  const link = document.createElement("a");
  const { title } = new DOMParser().parseFromString(html, "text/html");
  Object.assign(link, { href: url, textContent: title.replace(/\s*·[^·]*$/, "").trim() });
  const item = document.createElement("li");
  item.append(link);
  return item;
}

/* A browser may say that it is online while it is not: whoever is on the way to another page goes there. */
let isLeaving = false;
addEventListener("beforeunload", () => (isLeaving = true));
addEventListener("pageshow", () => (isLeaving = false));
addEventListener("online", () => !isLeaving && location.reload());

const pages = "caches" in window ? await listStored() : [];
for (const place of document.querySelectorAll("[data-stored-pages]")) {
  place.hidden = !pages.length;
  place.querySelector("ul").append(...pages.map(buildItem));
}
