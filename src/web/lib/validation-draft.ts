import { keepForNextPage, takeFromLastPage } from './storage.ts';

/*
 * What a visitor was checking when they went to sign in. The code is a secret: only the memory of this tab keeps it, for
 * 15 minutes at most and for one way to the sign-in page and back. Browsers write `sessionStorage` to the disk, so the
 * draft is there for the moment of the page load after sign-in alone.
 */

const KEPT_MS = 15 * 60_000;
const KEY = 'clipswap.draft';

interface Draft {
  readonly merchant: string;
  readonly code: string;
}

let kept = takeFromLastPage<Draft & { readonly until: number }>(KEY);

export function keepDraft({ merchant, code }: Draft): void {
  kept = { merchant, code, until: Date.now() + KEPT_MS };
}

/** The draft, unless it is too old. Reading does not delete it, since React may call an initialiser twice. */
export function keptDraft(): Draft | null {
  return kept !== null && Date.now() < kept.until ? kept : null;
}

export function forgetDraft(): void {
  kept = null;
}

/** Takes the draft along to the page that is about to be loaded. */
export function carryDraft(): void {
  if (keptDraft()) keepForNextPage(KEY, kept);
}
