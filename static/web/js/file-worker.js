/* Writes the answers of one page into files of this origin, and says so only when they are on the disk.

   Two files take turns: whatever interrupts the writing of one leaves the other whole. A message is
   {folder, page, sequence, text}; without a text it asks whether the files are still there. The
   word on it is {sequence}, and `error` if it could not be written. */

const encoder = new TextEncoder();
let handles = null;
let last = null;
let turn = Promise.resolve();

onmessage = ({ data }) => {
  turn = turn.then(() => answer(data));
};

async function answer(message) {
  const { sequence } = message;
  try {
    await write(message);
    postMessage({ sequence });
  } catch (error) {
    close();
    postMessage({ sequence, error: String(error) });
  }
}

/* The browser may have taken the files away meanwhile: then all is written anew. */
async function write(message) {
  if (message.text !== undefined) await put((last = message));
  if (!last || (await isThere(last))) return;
  close();
  await put(last);
  if (!(await isThere(last))) throw new Error("the files vanish");
}

async function put({ folder, page, sequence, text }) {
  handles ??= await open(folder, page);
  const handle = handles[sequence % 2];
  const bytes = encoder.encode(text);
  handle.truncate(0);
  if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new Error("the disk is full");
  handle.flush();
}

const listFileNames = (page) => [`${page}.0`, `${page}.1`];

async function open(folder, page) {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(folder, { create: true });
  const opened = [];
  for (const name of listFileNames(page)) {
    const file = await directory.getFileHandle(name, { create: true });
    opened.push(await file.createSyncAccessHandle());
  }
  return opened;
}

async function isThere({ folder, page, sequence }) {
  try {
    const root = await navigator.storage.getDirectory();
    await (await root.getDirectoryHandle(folder)).getFileHandle(listFileNames(page)[sequence % 2]);
    return true;
  } catch {
    return false;
  }
}

function close() {
  for (const handle of handles ?? []) handle.close();
  handles = null;
}
