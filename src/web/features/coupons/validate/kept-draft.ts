const KEPT_MS = 15 * 60_000;

interface Draft {
  readonly merchant: string;
  readonly code: string;
}

/*
 * What somebody was checking when they went to sign in. The code is a secret: it is kept in this tab's memory and
 * nowhere else, not for long, and for the one way to the sign-in page and back.
 */
let kept: (Draft & { readonly until: number }) | null = null;

export function keepDraft(draft: Draft): void {
  kept = { ...draft, until: Date.now() + KEPT_MS };
}

/** What was kept, if it still holds. Reading it twice gives it twice: React may well do that. */
export function keptDraft(): Draft | null {
  return kept !== null && Date.now() < kept.until ? kept : null;
}

export function forgetDraft(): void {
  kept = null;
}
