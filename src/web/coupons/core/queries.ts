import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getMutationKey, getQueryKey } from '@trpc/react-query';
import type { Page } from '#contract/base/primitives.ts';
import { type Filters, toListInput } from '#contract/coupons/coupon-filters.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isOutdated } from '#web/lib/errors.ts';
import { KEEP_PAGE } from '#web/lib/paged-list.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';

/** One page of the listed coupons. The previous page stays visible while the next one loads. */
export function useCoupons(filters: Filters) {
  return trpc.coupons.list.useQuery(toListInput(filters), KEEP_PAGE);
}

/** One coupon; null fetches nothing. */
export function useCoupon(id: number | null) {
  return trpc.coupons.byId.useQuery({ id: id ?? 0 }, { enabled: id !== null });
}

/** Refreshes a coupon that could not be changed because it is gone or reserved. */
function useRefreshIfOutdated() {
  const refresh = useRefresh();
  return (error: unknown, { id }: { id: number }) => {
    if (isOutdated(error)) void refresh(['coupons.byId', { id }]);
  };
}

export function useUpdateCoupon() {
  const utils = trpc.useUtils();
  return trpc.coupons.update.useMutation({
    onSuccess: (coupon) => {
      utils.coupons.byId.setData({ id: coupon.id }, coupon);
    },
    onError: useRefreshIfOutdated(),
  });
}

export function useRemoveCoupon() {
  const utils = trpc.useUtils();
  return trpc.coupons.remove.useMutation({
    onSuccess: (_, { id }) => {
      // No refetch now: the page of the deleted coupon may still be on screen.
      void utils.coupons.byId.invalidate({ id }, { refetchType: 'none' });
    },
    onError: useRefreshIfOutdated(),
  });
}

/**
 * Validates a code; neither code nor answer is cached. The verdict of a merchant's own programme is marked on a
 * listed coupon, which is then refreshed.
 */
export function useValidate() {
  const refresh = useRefresh();
  return trpc.coupons.validate.useMutation({
    gcTime: 0,
    onSuccess: ({ details }, { couponId }) => {
      if (couponId && details.confirmed) void refresh(['coupons.byId', { id: couponId }], 'coupons.list');
    },
  });
}

/** Reads the codes from an uploaded picture. */
export function useExtractCode() {
  return trpc.images.extractCode.useMutation({ gcTime: 0 });
}

interface SavedChange {
  readonly couponId: number;
  readonly isSaved: boolean;
}

/** Marks a coupon as saved or not saved in all cached lists. */
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
 * Saves or unsaves a coupon: visible at once, and undone on failure. The mutations run one after the other, so that
 * the second of two quick presses counts. The callbacks run even after the pressed button has gone.
 */
export function useSetSaved({ onSuccess, onError }: SavedAnswers = {}) {
  const { client } = trpc.useUtils();
  const show = useShowSaved();
  return useMutation({
    mutationKey: getMutationKey(trpc.coupons.save),
    scope: { id: 'saved-coupons' },
    mutationFn: ({ couponId, isSaved }: SavedChange) =>
      isSaved ? client.coupons.save.mutate({ couponId }) : client.coupons.unsave.mutate({ couponId }),
    onMutate: show,
    onSuccess: (_, change) => {
      show(change);
      onSuccess?.(change);
    },
    onError: (error, change) => {
      show({ ...change, isSaved: !change.isSaved });
      onError?.(error, change);
    },
  });
}
