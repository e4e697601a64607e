import { keepForNextPage, takeFromLastPage } from './storage.ts';

/*
 * What a visitor was checking when they went to sign in. The code is a secret: only the memory of this tab keeps it, for
 * 15 minutes at most and for one way to the sign-in page and back. Browsers write `sessionStorage` to the disk, so the
 * draft is there for the moment of the page load after sign-in alone.
 */

const MAX_AGE_MS = 15 * 60_000;
const KEY = 'clipswap.draft';

interface Draft {
  readonly merchant: string;
  readonly code: string;
}

let draft = takeFromLastPage<Draft & { readonly until: number }>(KEY);

export function storeDraft({ merchant, code }: Draft): void {
  draft = { merchant, code, until: Date.now() + MAX_AGE_MS };
}

/** The draft, unless it is too old. Reading does not delete it, since React may call an initialiser twice. */
export function storedDraft(): Draft | null {
  return draft !== null && Date.now() < draft.until ? draft : null;
}

export function forgetDraft(): void {
  draft = null;
}

/** Takes the draft along to the page that is about to be loaded. */
export function carryDraft(): void {
  if (storedDraft()) keepForNextPage(KEY, draft);
}
