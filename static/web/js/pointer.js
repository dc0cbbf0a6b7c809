/* A page that holds still while it is pressed: what would move it waits until the press is over, so
   that what was aimed at is what is pressed. The main button alone presses: others open a menu, which
   may take the release for itself, as it does where that button opens one. */

let pressed = false;
const waiting = [];

addEventListener("pointerdown", ({ button }) => { if (button === 0) pressed = true; }, true);
for (const end of ["pointerup", "pointercancel", "contextmenu"]) {
  addEventListener(end, () => setTimeout(release), true); // the click comes before
}

function release() {
  pressed = false;
  for (const act of waiting.splice(0)) act();
}

/* Act now, or as soon as nothing is pressed; in the order of the calls. */
export function whenReleased(act) {
  if (pressed) waiting.push(act);
  else act();
}
