import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Center, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { PERSONAL_CATEGORIES } from '#contract/coupons/choices.ts';
import type { Coupon, CouponSummary } from '#contract/coupons/coupons.ts';
import { isExpired } from '#contract/coupons/days-left.ts';
import { COUPONS_PER_SIDE } from '#contract/deals/deals.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { formatValue } from '#web/lib/format.ts';
import { joinPages, usePageInputs } from '#web/lib/growing-list.ts';
import { trpc } from '#web/lib/trpc.ts';
import classes from './offer.module.css';

/** Own coupons read at a time. */
const PAGE_SIZE = 24;
const SEARCH_DELAY_MS = 300;
/** The search box appears from this number of coupons. */
const SEARCH_FROM = 7;

interface CouponChooserProps {
  readonly name: string;
  readonly input: GetInputPropsReturnType;
  readonly legend: string;
  /** Whose coupons; null: the viewer's own. */
  readonly ownerId: number | null;
  /** Those that were chosen at first: always shown, before all others. */
  readonly first: readonly CouponSummary[];
  /** What it means that a chosen coupon has no code. */
  readonly noCode: string;
  /** The label of the button that shows others than the first; without it they are shown at once. */
  readonly more?: string;
  /** The rest of the form; left out if there is nothing to choose from. */
  readonly children?: ReactNode;
}

/** Chooses coupons of one person that can be swapped. */
export function CouponChooser(props: CouponChooserProps) {
  const { name, input, legend, ownerId, first, noCode, more, children } = props;
  const { onChange, error } = input;
  const chosen: readonly CouponSummary[] = input.value;
  const [isWide, setIsWide] = useState(more === undefined);
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const own = useChoices(ownerId, search, isWide);
  const found = offerable(own.items, new Date());
  const choices = withFirst(isWide ? found.coupons : [], search === '' ? first : []);
  const isFull = chosen.length >= COUPONS_PER_SIDE;
  const toggle = (coupon: CouponSummary) => {
    const others = chosen.filter(({ id }) => id !== coupon.id);
    onChange(others.length < chosen.length ? others : [...others, coupon]);
  };
  const errorId = useId();
  const searchLabel = ownerId === null ? t`Search your coupons` : t`Search their coupons`;
  // The search box stays once it is shown, even if a search finds little.
  const [isSearchable, setIsSearchable] = useState(false);
  if (!isSearchable && isWide && own.total >= SEARCH_FROM) setIsSearchable(true);

  // If none of the loaded coupons can be offered, load the next page.
  const { isLoaded, hasMore, showMore } = own;
  const isLoadingMore = isWide && isLoaded && choices.length === 0 && hasMore;
  useEffect(() => {
    if (isLoadingMore) showMore();
  });

  if (own.error && choices.length === 0) {
    return (
      <ErrorState
        title={TEXTS.coupons.loadFailed()}
        message={readErrorText(own.error)}
        onRetry={own.retry}
        isRetrying={own.isFetching}
      />
    );
  }
  const isLoading = isWide && !isLoaded && choices.length === 0;
  if (ownerId === null && !isLoading && !isLoadingMore && choices.length === 0 && search === '') {
    return (
      <EmptyState
        title={TEXTS.exchanges.noCouponsToOffer()}
        text={found.whyNone ?? undefined}
        titleOrder={3}
        action={
          <Button component={Link} to={paths.addCoupon}>
            <Trans>Add a Coupon</Trans>
          </Button>
        }
      />
    );
  }
  return (
    <>
      <fieldset aria-describedby={error ? errorId : undefined}>
        <Text component="legend" fz="sm" fw={600}>
          {legend}
        </Text>
        {isSearchable && (
          <TextInput
            mt={8}
            type="search"
            enterKeyHint="search"
            aria-label={searchLabel}
            placeholder={t`${searchLabel}...`}
            leftSection={<IconSearch size={18} aria-hidden="true" />}
            value={text}
            maxLength={SEARCH_MAX}
            onChange={(event) => setText(event.currentTarget.value)}
            // Enter must not submit the form around the search box.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <div role="alert" id={errorId} className={classes.error}>
          {error}
        </div>
        <div className={classes.choices} aria-busy={isLoading || isLoadingMore}>
          {(isLoading || isLoadingMore) && (
            <Repeat count={4}>
              <CouponTicketSkeleton size="small" />
            </Repeat>
          )}
          {choices.map((coupon) => (
            <Choice
              key={coupon.id}
              name={name}
              coupon={coupon}
              isChosen={chosen.some(({ id }) => id === coupon.id)}
              isFull={isFull}
              onToggle={() => toggle(coupon)}
            />
          ))}
        </div>
        {!isLoading && !isLoadingMore && choices.length === 0 && (
          <Text c="dimmed" ta="center" py="md" role="status">
            {ownerId === null
              ? t`None of your coupons matches “${search}”.`
              : t`None of their coupons matches “${search}”.`}
          </Text>
        )}
        {!isWide && (
          <Button mt="sm" variant="default" size="compact-md" onClick={() => setIsWide(true)}>
            {more}
          </Button>
        )}
        {isFull && (
          <Text size="sm" c="dimmed" role="status">
            <Trans>You can choose up to {COUPONS_PER_SIDE} coupons.</Trans>
          </Text>
        )}
        {isWide && hasMore && !isLoadingMore && (
          <Center mt="sm">
            <Button variant="default" onClick={showMore} loading={!isLoaded}>
              <Trans>Show more</Trans>
            </Button>
          </Center>
        )}
      </fieldset>
      {chosen.some(({ transferable }) => transferable === 'no') && <NotTransferableNote />}
      {chosen.some(({ hasCode }) => !hasCode) && <NoCodeNote>{noCode}</NoCodeNote>}
      {children}
    </>
  );
}

/**
 * Coupons for a swap, one more page with each `showMore`.
 * @param ownerId null: the viewer's own
 */
function useChoices(ownerId: number | null, search: string, isAsked: boolean) {
  const { inputs, showMore } = usePageInputs(search, PAGE_SIZE);
  const queries = trpc.useQueries((t) =>
    inputs.map((input) =>
      ownerId === null
        ? t.coupons.mine(input, { enabled: isAsked })
        : t.coupons.askable({ ...input, userId: ownerId }, { enabled: isAsked }),
    ),
  );
  const isLoaded = queries.every(({ data }) => data !== undefined);
  return { ...joinPages(queries, PAGE_SIZE), isLoaded, showMore };
}

function withFirst(coupons: readonly CouponSummary[], first: readonly CouponSummary[]): CouponSummary[] {
  return [...first, ...coupons.filter(({ id }) => !first.some((one) => one.id === id))];
}

interface ChoiceProps {
  readonly name: string;
  readonly coupon: CouponSummary;
  readonly isChosen: boolean;
  /** Whether no more can be chosen. */
  readonly isFull: boolean;
  readonly onToggle: () => void;
}

function Choice({ name, coupon, isChosen, isFull, onToggle }: ChoiceProps) {
  return (
    <div className={classes.choice} data-focus-frame>
      <input
        type="checkbox"
        name={name}
        // The form focuses the first one when the choice is wrong.
        data-path={name}
        className={classes.box}
        checked={isChosen}
        disabled={isFull && !isChosen}
        onChange={onToggle}
        aria-label={t`${coupon.title}, ${coupon.merchant}, ${formatValue(coupon)} off`}
      />
      <div className={classes.card} aria-hidden="true">
        <CouponTicket coupon={coupon} size="small" isLinked={false} />
      </div>
      <span className={classes.mark} aria-hidden="true">
        <IconCheck size={14} stroke={3} />
      </span>
    </div>
  );
}

/** Why a coupon cannot be offered now, as a rule for all; null if it can. The server checks again. */
function obstacleOf(coupon: Coupon, now: Date): string | null {
  if (PERSONAL_CATEGORIES.includes(coupon.category)) return t`Public codes are for personal use only.`;
  if (isExpired(coupon, now)) return t`Expired coupons cannot be offered.`;
  if (coupon.isReserved) return t`Coupons in another deal are reserved.`;
  return coupon.isActive ? null : t`Only listed coupons can be offered.`;
}

/** Those of the viewer's coupons that can be offered; if none, `whyNone` says why. */
function offerable(coupons: readonly Coupon[], now: Date): { coupons: Coupon[]; whyNone: string | null } {
  const obstacles = coupons.map((coupon) => obstacleOf(coupon, now));
  const left = coupons.filter((_, index) => obstacles[index] === null);
  const reasons = [...new Set(obstacles.filter((obstacle) => obstacle !== null))];
  if (left.length > 0 || reasons.length === 0) return { coupons: left, whyNone: null };
  return { coupons: [], whyNone: [t`You have no coupon to offer now.`, ...reasons].join(' ') };
}
