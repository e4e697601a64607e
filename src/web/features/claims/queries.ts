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

/** A moderator refunds the buyer or releases the money to the seller. */
export function useDecideSaleClaim() {
  return trpc.payments.decideClaim.useMutation();
}

/** A moderator upholds or refuses a claim about an exchange. */
export function useDecideLegClaim() {
  return trpc.claims.decide.useMutation();
}

/** What the viewer gave and got in a completed exchange, with the claims about it. */
export function useLegClaims(exchangeId: number) {
  return trpc.claims.ofExchange.useQuery({ exchangeId });
}

/** The viewer says that a code from an exchange does not work. */
export function useOpenLegClaim() {
  return trpc.claims.open.useMutation();
}

/** The viewer takes a claim about an exchange back. */
export function useWithdrawLegClaim() {
  return trpc.claims.withdraw.useMutation();
}

/** Whoever gave the coupon answers a claim. */
export function useAnswerClaim() {
  return trpc.claims.answer.useMutation();
}
