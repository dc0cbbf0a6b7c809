/* Passkeys: a form marked data-passkey is sent with what the browser's own dialogue gives.

   `create` makes a passkey, `get` proves that one has it. What the dialogue is asked for stands in
   the page (data-options, the id of a JSON block), or is fetched from the form's address. */

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

const withBytes = (credentials = []) => credentials.map((each) => ({ ...each, id: toBytes(each.id) }));

async function readOptions(form) {
  const { options } = form.dataset;
  if (options) return JSON.parse(document.getElementById(options).textContent);
  const response = await fetch(form.action, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`The site answered ${response.status}.`);
  return response.json();
}

/* A passkey that signs in alone lies on the device and asks for a finger, a face or a PIN. */
function selectAuthenticator(selection, form) {
  const passwordless = form.elements.passwordless?.checked;
  return {
    ...selection,
    residentKey: passwordless ? "required" : "discouraged",
    requireResidentKey: Boolean(passwordless),
    userVerification: passwordless ? "required" : selection.userVerification,
  };
}

async function create(form) {
  const { publicKey } = (await readOptions(form)).creation_options;
  return navigator.credentials.create({
    publicKey: {
      ...publicKey,
      challenge: toBytes(publicKey.challenge),
      user: { ...publicKey.user, id: toBytes(publicKey.user.id) },
      excludeCredentials: withBytes(publicKey.excludeCredentials),
      authenticatorSelection: selectAuthenticator(publicKey.authenticatorSelection, form),
    },
  });
}

async function get(form) {
  const { publicKey } = (await readOptions(form)).request_options;
  return navigator.credentials.get({
    publicKey: {
      ...publicKey,
      challenge: toBytes(publicKey.challenge),
      allowCredentials: withBytes(publicKey.allowCredentials),
    },
  });
}

function toJSON({ id, rawId, type, authenticatorAttachment, response }) {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const present = parts.filter((part) => response[part]);
  return {
    id,
    rawId: toText(rawId),
    type,
    authenticatorAttachment,
    response: Object.fromEntries(present.map((part) => [part, toText(response[part])])),
  };
}

async function send(event) {
  event.preventDefault();
  const form = event.target;
  const problem = form.querySelector("[data-problem]");
  problem.hidden = true;
  try {
    const credential = await (form.dataset.passkey === "create" ? create(form) : get(form));
    form.elements.credential.value = JSON.stringify({
      ...toJSON(credential),
      clientExtensionResults: credential.getClientExtensionResults(),
    });
    form.submit();
  } catch (error) {
    const { cancelled, known, failed } = problem.dataset;
    const sentences = { NotAllowedError: cancelled, AbortError: cancelled, InvalidStateError: known };
    problem.textContent = sentences[error.name] ?? failed;
    problem.hidden = false;
  }
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  if (!window.PublicKeyCredential) continue;
  form.hidden = false;
  form.addEventListener("submit", send);
}
