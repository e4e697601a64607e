import { keepPreviousData } from '@tanstack/react-query';
import type { PageRef } from '#contract/primitives.ts';
import { trpc } from '#web/lib/trpc.ts';

/** Claims on one page of a moderator's list. */
export const CLAIMS_PAGE_SIZE = 10;

/** A page of the claims that moderators decide. The page before stays on screen while the next one loads. */
export function useClaims({ onlyOpen, page }: { onlyOpen: boolean; page: PageRef }) {
  return trpc.claims.list.useQuery(
    { onlyOpen, page, limit: CLAIMS_PAGE_SIZE },
    { placeholderData: keepPreviousData },
  );
}

/** What the viewer gave and got in a completed exchange, with the claims about it. */
export function useLegClaims(exchangeId: number) {
  return trpc.claims.ofExchange.useQuery({ exchangeId });
}
