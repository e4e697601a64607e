import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import type { Coupon } from '#contract/coupons.ts';
import { ERROR_STATUS } from '#contract/errors.ts';
import type { Page } from '#contract/primitives.ts';
import { hasCode, wireErrorOf } from '#web/lib/errors.ts';
import { trpc } from '#web/lib/trpc.ts';
import { type Filters, PAGE_SIZE, toListInput, toOwnListInput } from './filters.ts';

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

/** One page of what the viewer has saved, the latest first. */
export function useSavedCoupons(page: number) {
  return trpc.coupons.saved.useQuery({ page, limit: PAGE_SIZE }, { placeholderData: keepPreviousData });
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

/** Whether the viewer wants to keep a coupon in sight. */
interface SavedChange {
  readonly couponId: number;
  readonly isSaved: boolean;
}

/** Shows a coupon as saved, or not, wherever it is on screen. */
function useShowSaved() {
  const client = useQueryClient();
  return ({ couponId, isSaved }: SavedChange) => {
    const mark = (coupon: Coupon) => (coupon.id === couponId ? { ...coupon, isSaved } : coupon);
    const markPage = (page: Page<Coupon> | undefined) => page && { ...page, items: page.items.map(mark) };
    for (const list of [trpc.coupons.list, trpc.coupons.saved]) {
      client.setQueriesData<Page<Coupon>>({ queryKey: getQueryKey(list) }, markPage);
    }
    client.setQueriesData<Coupon>(
      { queryKey: getQueryKey(trpc.coupons.byId) },
      (coupon) => coupon && mark(coupon),
    );
  };
}

interface SavedAnswers {
  readonly onSuccess?: (change: SavedChange) => void;
  readonly onError?: (error: unknown, change: SavedChange) => void;
}

/**
 * Saves a coupon for later or lets go of it. On screen it is done at once, and taken back when it fails. One after
 * the other, so that of two quick presses the second one counts; told also after the pressed button has gone.
 */
export function useSetSaved({ onSuccess, onError }: SavedAnswers = {}) {
  const { client, coupons } = trpc.useUtils();
  const show = useShowSaved();
  return useMutation({
    scope: { id: 'saved-coupons' },
    mutationFn: ({ couponId, isSaved }: SavedChange) =>
      isSaved ? client.coupons.save.mutate({ couponId }) : client.coupons.unsave.mutate({ couponId }),
    onMutate: show,
    onSuccess: async (_, change) => {
      show(change);
      onSuccess?.(change);
      await coupons.saved.invalidate();
    },
    onError: (error, change) => {
      show({ ...change, isSaved: !change.isSaved });
      onError?.(error, change);
    },
  });
}
