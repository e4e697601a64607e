import { TEXTS } from '#contract/base/texts.ts';
import type { Exchange } from '#contract/deals/exchanges.ts';
import { isConflict, isNetworkFailure, writeErrorText } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';

/** One exchange, refetched whenever it is opened; before that as one of `known`. Without a number nothing is asked for. */
export function useExchange(id: number | 'unknown' | null, known: readonly Exchange[] = []) {
  const isKnown = typeof id === 'number';
  return trpc.exchanges.byId.useQuery(
    { id: isKnown ? id : 0 },
    { enabled: isKnown, placeholderData: known.find((one) => one.id === id), refetchOnMount: 'always' },
  );
}

/** The text for a failed change: the server's reason after a conflict, that there is no network, else a general one. */
export function updateErrorText(error: unknown): string {
  const updateFailed = TEXTS.exchanges.updateFailed();
  return isConflict(error) || isNetworkFailure(error) ? writeErrorText(error, updateFailed) : updateFailed;
}
