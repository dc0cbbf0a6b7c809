/* Waiting for what may never answer. */

/* Do a piece of work that gets a signal; if it takes longer than this, abort it and throw. */
export async function within(milliseconds, work) {
  const controller = new AbortController();
  let timer = 0;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, milliseconds, new Error("no answer"));
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } catch (error) {
    controller.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/* Keep this page out of the back/forward cache until the promise settles: a frozen page that is in
   the middle of something would block the same for every other page. */
export function stayOutOfCache(promise) {
  const settled = promise.then(
    () => null,
    () => null,
  );
  navigator.locks?.request(`ochenta-busy-${Math.random()}`, () => settled).catch(() => null);
  return promise;
}
