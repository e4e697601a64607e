/** Longer than a dialog takes to fade out and to return the focus. */
const FOCUS_RETURN_MS = 250;

/**
 * Moves the focus to the first existing element of `ids`, where an action has removed the pressed button: the focus
 * would otherwise start at the top of the page.
 */
export function rescueFocus(ids: readonly string[]): void {
  setTimeout(() => {
    if (document.activeElement !== document.body) return;
    const target = ids.map((id) => document.getElementById(id)).find((element) => element !== null);
    target?.focus({ preventScroll: true });
  }, FOCUS_RETURN_MS);
}
