import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { getQueryKey } from '@trpc/react-query';
import { merchantsInput } from '#contract/base/first-answers.ts';
import { PAGE_SIZES } from '#contract/base/page-sizes.ts';
import type { Page, PageRef } from '#contract/base/primitives.ts';
import { type DiscoverCoupon, type DiscoverGroup, OFFERS_PER_MERCHANT } from '#contract/coupons/discover.ts';
import { hasCode } from '#web/lib/errors.ts';
import { joinPages, usePageInputs } from '#web/lib/growing-list.ts';
import { useRefresh } from '#web/lib/query-client.ts';
import { trpc } from '#web/lib/trpc.ts';

/** A merchant in the list, and when it was fetched. */
export interface KnownGroup extends DiscoverGroup {
  readonly readAt: number;
}

/**
 * The merchants whose names contain `search`, each with its first offers; `showMore` adds a page. If `isCapped`, there
 * are more merchants than the pages reach.
 */
export function useMerchants(search: string) {
  const { inputs, showMore } = usePageInputs(search, PAGE_SIZES.merchants);
  const queries = trpc.useQueries((t) =>
    inputs.map(({ page }) => t.discover.list(merchantsInput(search, page))),
  );
  const groups = queries.flatMap(({ data, dataUpdatedAt }) =>
    (data?.items ?? []).map((group): KnownGroup => ({ ...group, readAt: dataUpdatedAt })),
  );
  const isCapped = queries.at(-1)?.data?.totalIsCapped ?? false;
  return { ...joinPages(queries, PAGE_SIZES.merchants), groups, isCapped, showMore };
}

/** One page of a merchant's offers. The list of merchants (`known`) already has the first page. */
export function useOffers({ merchant, page }: { merchant: string; page: PageRef }, known?: KnownGroup) {
  const first = page === 1 && known && firstPage(known);
  return trpc.discover.offers.useQuery(
    { merchant, page, limit: OFFERS_PER_MERCHANT },
    {
      placeholderData: keepPreviousData,
      ...(first && { initialData: first, initialDataUpdatedAt: known.readAt }),
    },
  );
}

function firstPage({ total, coupons }: DiscoverGroup): Page<DiscoverCoupon> {
  return { items: coupons, total, totalIsCapped: false, nextCursor: null, previousCursor: null };
}

/** Changes the offers that match in all cached lists. */
function useChangeOffers() {
  const client = useQueryClient();
  return (matches: (offer: DiscoverCoupon) => boolean, change: Partial<DiscoverCoupon>) => {
    const changed = (offer: DiscoverCoupon) => (matches(offer) ? { ...offer, ...change } : offer);
    client.setQueriesData<Page<DiscoverCoupon>>(
      { queryKey: getQueryKey(trpc.discover.offers) },
      (page) => page && { ...page, items: page.items.map(changed) },
    );
    client.setQueriesData<Page<DiscoverGroup>>(
      { queryKey: getQueryKey(trpc.discover.list) },
      (page) =>
        page && {
          ...page,
          items: page.items.map((group) => ({ ...group, coupons: group.coupons.map(changed) })),
        },
    );
  };
}

/** Says whether an offer's code worked. Its place in the list stays until the list is read again. */
export function useGiveFeedback({ onError }: { onError: (error: unknown) => void }) {
  const change = useChangeOffers();
  return trpc.discover.giveFeedback.useMutation({
    onSuccess: (feedback, { id }) => change((offer) => offer.id === id, { feedback }),
    onError,
  });
}

interface ImportAnswers {
  readonly onSuccess: () => void;
  readonly onError: (error: unknown) => void;
}

/** Imports an offer. An offer that was imported before counts as a success. */
export function useImport({ onSuccess, onError }: ImportAnswers) {
  const refresh = useRefresh();
  const change = useChangeOffers();
  const done = ({ code, merchant }: { code: string; merchant: string }) => {
    change((offer) => offer.code === code && offer.merchant === merchant, { isImported: true });
    onSuccess();
  };
  return trpc.discover.import.useMutation({
    onSuccess: (_, asked) => done(asked),
    onError: (error, asked) => {
      if (hasCode(error, 'code_listed')) {
        void refresh('coupons.mine');
        return done(asked);
      }
      onError(error);
      // The feed no longer has it.
      if (hasCode(error, 'not_found')) void refresh('discover');
    },
  });
}
