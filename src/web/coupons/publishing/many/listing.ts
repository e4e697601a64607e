import { t } from '@lingui/core/macro';
import { useMutation } from '@tanstack/react-query';
import { getMutationKey } from '@trpc/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Coupon, CouponPayload } from '#contract/coupons/coupons.ts';
import { isPersonal } from '#web/coupons/core/wording.ts';
import { fieldOf } from '#web/coupons/form/coupon-form-values.ts';
import { newClientKey } from '#web/lib/client-key.ts';
import { fieldErrors, hasCode, wireErrorOf, writeErrorText } from '#web/lib/errors.ts';
import { localTimeZone } from '#web/lib/local-day.ts';
import { trpc } from '#web/lib/trpc.ts';
import type { Row } from './rows.ts';

/** A coupon that was listed here. */
export interface Listed {
  readonly id: number;
  /** What became of it: others see it, a moderator or a confirmed address comes first, or it is for personal use. */
  readonly state: 'listed' | 'waiting' | 'unconfirmed' | 'personal';
  /** Its row, which comes back when it is removed; not after a reload, because codes are not kept. */
  readonly row: Row | null;
}

export interface Sending {
  readonly row: Row;
  readonly payload: CouponPayload;
}

/** How many calls are under way at a time. */
const AT_ONCE = 3;

async function forEach<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function stateOf(coupon: Coupon): Listed['state'] {
  if (isPersonal(coupon)) return 'personal';
  if (coupon.isWaiting) return 'waiting';
  return coupon.isActive ? 'listed' : 'unconfirmed';
}

function refused(row: Row, error: unknown): Row {
  // What is not a cell is said of the whole row.
  const texts = Object.entries(fieldErrors(error)).map(([path, text]) => {
    const field = fieldOf(path);
    return [field in row.coupon ? field : '', text];
  });
  const text = writeErrorText(error, t`We could not list this coupon. Please try again.`);
  const refusals = texts.length > 0 ? Object.fromEntries(texts) : { '': text };
  return { ...row, refusals, deadCode: hasCode(error, 'code_dead') ? 'refused' : row.deadCode };
}

interface ListingHandlers {
  /** @param draftId of the draft that it was */
  readonly onListed: (listed: Listed, draftId: number | undefined) => void;
  readonly onRefused: (row: Row) => void;
}

/** Lists coupons one by one, each as the form for one coupon does; leaving the page stops it. */
export function useListing({ onListed, onRefused }: ListingHandlers) {
  const { client } = trpc.useUtils();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  /** The key of what was sent last for a row: sent again unchanged, it is listed once. */
  const sent = useRef(new Map<string, { readonly input: string; readonly clientKey: string }>());
  const listOne = async ({ row, payload }: Sending) => {
    const input = JSON.stringify(payload);
    const before = sent.current.get(row.key);
    const clientKey = before?.input === input ? before.clientKey : newClientKey();
    sent.current.set(row.key, { input, clientKey });
    const coupon = await client.coupons.create.mutate({ ...payload, timeZone: localTimeZone(), clientKey });
    sent.current.delete(row.key);
    // Its draft has ended with it.
    onListed({ id: coupon.id, state: stateOf(coupon), row: { ...row, draftId: undefined } }, row.draftId);
  };
  const mutation = useMutation({
    mutationKey: getMutationKey(trpc.coupons.create),
    mutationFn: async (sendings: readonly Sending[]) => {
      /** The refusals of merchants whose limit is reached: asking on would change nothing. */
      const limited = new Map<string, unknown>();
      setProgress({ done: 0, total: sendings.length });
      await forEach(sendings, async (sending) => {
        if (isLeft.current) return;
        const { row, payload } = sending;
        try {
          const limit = limited.get(payload.merchant);
          if (limit) throw limit;
          await listOne(sending);
        } catch (error) {
          if (hasCode(error, 'rate_limited')) limited.set(payload.merchant, error);
          onRefused(refused(row, error));
        }
        setProgress(({ done, total }) => ({ done: done + 1, total }));
      });
    },
  });
  return { list: mutation.mutateAsync, isPending: mutation.isPending, progress };
}

/** Removes listed coupons one by one. Those of a deal stay. */
export function useUndo(onRemoved: (listed: Listed) => void) {
  const { client } = trpc.useUtils();
  return useMutation({
    mutationKey: getMutationKey(trpc.coupons.remove),
    /** @returns the refusals of those that stay */
    mutationFn: async (all: readonly Listed[]) => {
      const refusals: string[] = [];
      await forEach(all, async (listed) => {
        try {
          await client.coupons.remove.mutate({ id: listed.id });
          onRemoved(listed);
        } catch (error) {
          // It has been removed elsewhere.
          if (wireErrorOf(error)?.code === 'not_found') onRemoved(listed);
          else refusals.push(writeErrorText(error, t`We could not remove it. Please try again.`));
        }
      });
      return refusals;
    },
  });
}
