import { keepPreviousData } from '@tanstack/react-query';
import type { Coupon } from '#contract/coupons.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import { hasCode, wireErrorOf } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { type Filters, toListInput, toOwnListInput } from './filters.ts';

/** One page of the coupons on offer. The page before stays on screen while the next one loads. */
export function useCoupons(filters: Filters) {
  return trpc.coupons.list.useQuery(toListInput(filters), { placeholderData: keepPreviousData });
}

/** Reads a page ahead of the press that asks for it. */
export function usePrefetchCoupons() {
  const utils = trpc.useUtils();
  return (filters: Filters) => void utils.coupons.list.prefetch(toListInput(filters));
}

/** One page of the viewer's own coupons. */
export function useOwnCoupons(filters: Filters) {
  return trpc.coupons.mine.useQuery(toOwnListInput(filters), { placeholderData: keepPreviousData });
}

/** One coupon; with null none is asked for. */
export function useCoupon(id: number | null) {
  return trpc.coupons.byId.useQuery(
    { id: id ?? 0 },
    // Asked again, a coupon that is not there is not there either.
    { enabled: id !== null, retry: (failures, error) => failures < 1 && !hasCode(error, 'not_found') },
  );
}

/** Reads anew the lists that show coupons, and the exchanges they are part of. */
function useRefresh() {
  const utils = trpc.useUtils();
  return async () => {
    void utils.exchanges.invalidate();
    await Promise.all([utils.coupons.list.invalidate(), utils.coupons.mine.invalidate()]);
  };
}

/** Takes a written coupon for true everywhere. */
function useKeep() {
  const utils = trpc.useUtils();
  const refresh = useRefresh();
  return async (coupon: Coupon) => {
    utils.coupons.byId.setData({ id: coupon.id }, coupon);
    await refresh();
  };
}

/** After a refusal because the world has changed (gone, reserved meanwhile), what is on screen is not true any more. */
function useRefreshIfStale() {
  const utils = trpc.useUtils();
  const refresh = useRefresh();
  return async (error: unknown, { id }: { id: number }) => {
    const wire = wireErrorOf(error);
    if (!wire || ![404, 409].includes(ERROR_STATUS[wire.code]) || wire.code === 'code_listed') return;
    void utils.coupons.byId.invalidate({ id });
    await refresh();
  };
}

/** Lists a coupon. Under way until the lists on screen hold it. */
export function useCreateCoupon() {
  const onSuccess = useKeep();
  return trpc.coupons.create.useMutation({ onSuccess });
}

/** Edits an own coupon. */
export function useUpdateCoupon() {
  const onSuccess = useKeep();
  const onError = useRefreshIfStale();
  return trpc.coupons.update.useMutation({ onSuccess, onError });
}

/** Takes an own coupon away. */
export function useRemoveCoupon() {
  const utils = trpc.useUtils();
  const refresh = useRefresh();
  const onError = useRefreshIfStale();
  return trpc.coupons.remove.useMutation({
    onSuccess: async (_, { id }) => {
      // Not read anew here: its page may still be on screen, about to be left.
      void utils.coupons.byId.invalidate({ id }, { refetchType: 'none' });
      await refresh();
    },
    onError,
  });
}

/** Asks for a code; every look is recorded. Nothing keeps the answer once nobody shows it. */
export function useRevealCode() {
  return trpc.coupons.reveal.useMutation({ gcTime: 0 });
}
