/** Longer than a dialog takes to fade out and to give the keyboard back. */
const FOCUS_RETURN_MS = 250;

/**
 * Moves the keyboard to the first of these that is there, where an act has taken the pressed button away: it would
 * start at the top of the page again.
 */
export function rescueFocus(ids: readonly string[]): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const target = ids.map((id) => document.getElementById(id)).find((element) => element !== null);
    target?.focus({ preventScroll: true });
  }, FOCUS_RETURN_MS);
}
