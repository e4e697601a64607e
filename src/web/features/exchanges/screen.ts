/** Dialogs take the whole screen here. */
export const SMALL_SCREEN = '(max-width: 36em)';
/** From here on the exchanges are a table, below they are cards. */
export const WIDE_SCREEN = '(min-width: 48em)';
/** As long as a dialog takes to fade out. */
export const DIALOG_FADE_MS = 200;
