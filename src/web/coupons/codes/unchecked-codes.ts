import { useRef } from 'react';
import { hasCode } from '#web/lib/errors.ts';

/**
 * Lets somebody go on although a code could not be checked with its merchant. The refusal says so, and that doing it once
 * more goes on: the next call about the same deal says that they know.
 */
export function useUncheckedCodes() {
  const told = useRef(new Set<number>());
  return {
    acknowledged: (dealId: number) => (told.current.has(dealId) ? { acknowledgeUnchecked: true } : {}),
    note(error: unknown, dealId: number) {
      if (hasCode(error, 'code_unchecked')) told.current.add(dealId);
    },
  };
}
