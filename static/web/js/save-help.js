/* Offering what helps when answers cannot be sent: signing in, or the answers as a file. */

const help = document.querySelector("[data-save-help]");
const button = help.querySelector("[data-download]");
const links = new Map(
  [...help.querySelectorAll("[data-sign-in]")].map((link) => [link.dataset.signIn, link]),
);

/* Without moving anything else. `signIn`: "" or the trouble that signing in ends. */
export function offer({ download = false, signIn = "" }) {
  button.hidden = !download;
  for (const [trouble, link] of links) link.hidden = trouble !== signIn;
  help.hidden = !download && !links.has(signIn);
}

export const onDownload = (work) => button.addEventListener("click", work);

export const pointToSignIn = () => [...links.values()].find((link) => !link.hidden)?.focus();
