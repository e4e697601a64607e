import { Button, Center, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { SEARCH_MAX } from '#contract/bounds.ts';
import { daysLeft, PERSONAL_CATEGORIES } from '#contract/coupon-facts.ts';
import type { Coupon, CouponSummary } from '#contract/coupons.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { CouponTicket, CouponTicketSkeleton } from '#web/components/coupon-ticket.tsx';
import { NoCodeNote, NotTransferableNote } from '#web/components/deal-notes.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { ErrorState } from '#web/components/query-content.tsx';
import { Repeat } from '#web/components/repeat.tsx';
import { readErrorText } from '#web/lib/errors.ts';
import { formatValue } from '#web/lib/format.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './offer.module.css';
import { useOwnCoupons } from './queries.ts';
import { nothingFor } from './wording.ts';

const SEARCH_DELAY_MS = 300;
/** The search box appears from this number of coupons. */
const SEARCH_FROM = 7;

interface CouponChooserProps {
  /** The chosen coupon's id. */
  readonly value: number | null;
  readonly onChange: (id: number) => void;
  readonly error?: ReactNode;
  /** The coupon offered so far: always shown first. */
  readonly current?: CouponSummary;
  /** The username of whoever gets the coupon. */
  readonly receiver: string;
  /** The rest of the form; left out if there is nothing to choose from. */
  readonly children: ReactNode;
}

/** Chooses one of the viewer's own coupons that can be swapped. */
export function CouponChooser(props: CouponChooserProps) {
  const { value, onChange, error, current, receiver, children } = props;
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), SEARCH_DELAY_MS);
  const own = useOwnCoupons(search);
  const found = offerable(own.items, new Date());
  const choices = withCurrent(found.coupons, search === '' ? current : undefined);
  const chosen = choices.find(({ id }) => id === value);
  const errorId = useId();
  // The search box stays once it is shown, even if a search finds little.
  const [isSearchable, setIsSearchable] = useState(false);
  if (!isSearchable && own.total >= SEARCH_FROM) setIsSearchable(true);

  // If none of the loaded coupons can be offered, load the next page.
  const { isLoaded, hasMore, showMore } = own;
  const isLoadingMore = isLoaded && choices.length === 0 && hasMore;
  useEffect(() => {
    if (isLoadingMore) showMore();
  });

  if (own.error && choices.length === 0) {
    return (
      <ErrorState
        title={TEXTS.coupons.loadFailed}
        message={readErrorText(own.error)}
        onRetry={own.retry}
        isRetrying={own.isFetching}
      />
    );
  }
  const isLoading = !isLoaded && choices.length === 0;
  if (!isLoading && !isLoadingMore && choices.length === 0 && search === '') {
    return (
      <EmptyState
        title={TEXTS.exchanges.noCouponsToOffer}
        text={found.whyNone ?? undefined}
        titleOrder={3}
        action={
          <Button component={Link} to={paths.addCoupon}>
            Add a Coupon
          </Button>
        }
      />
    );
  }
  return (
    <>
      <fieldset className={classes.group} aria-describedby={error ? errorId : undefined}>
        <legend className={classes.legend}>Your coupon to offer</legend>
        {isSearchable && (
          <TextInput
            mt={8}
            aria-label="Search your coupons"
            placeholder="Search your coupons..."
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
            <Choice key={coupon.id} coupon={coupon} isChosen={coupon.id === value} onChoose={onChange} />
          ))}
        </div>
        {!isLoading && !isLoadingMore && choices.length === 0 && (
          <Text c="dimmed" ta="center" py="md" role="status">
            No coupon of yours that you can offer matches “{search}”.
          </Text>
        )}
        {hasMore && !isLoadingMore && (
          <Center mt="sm">
            <Button variant="default" onClick={showMore} loading={!isLoaded}>
              Show more
            </Button>
          </Center>
        )}
      </fieldset>
      {chosen?.transferable === 'no' && <NotTransferableNote />}
      {chosen?.hasCode === false && <NoCodeNote>{nothingFor(receiver)}</NoCodeNote>}
      {children}
    </>
  );
}

function withCurrent<Item extends CouponSummary>(
  coupons: readonly Item[],
  current: CouponSummary | undefined,
): CouponSummary[] {
  if (!current) return [...coupons];
  return [current, ...coupons.filter(({ id }) => id !== current.id)];
}

interface ChoiceProps {
  readonly coupon: CouponSummary;
  readonly isChosen: boolean;
  readonly onChoose: (id: number) => void;
}

function Choice({ coupon, isChosen, onChoose }: ChoiceProps) {
  const currency = useCurrency();
  return (
    <div className={classes.choice}>
      <input
        type="radio"
        name="offeredCouponId"
        className={classes.radio}
        checked={isChosen}
        onChange={() => onChoose(coupon.id)}
        aria-label={`${coupon.title}, ${coupon.merchant}, ${formatValue(coupon, currency)} off`}
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

/** Why a coupon cannot be offered now; null if it can. The server checks again. */
function obstacleOf(coupon: Coupon, now: Date): string | null {
  if (PERSONAL_CATEGORIES.includes(coupon.category)) return 'a public code for personal use';
  if (coupon.expiryDate !== null && daysLeft(coupon.expiryDate, now) <= 0) return 'expired';
  if (coupon.isReserved) return 'reserved by another deal';
  return coupon.isActive ? null : 'not listed';
}

/**
 * The coupons that can be offered; if none, `whyNone` says why.
 * @param coupons the viewer's own
 */
function offerable(coupons: readonly Coupon[], now: Date): { coupons: Coupon[]; whyNone: string | null } {
  const obstacles = coupons.map((coupon) => obstacleOf(coupon, now));
  const left = coupons.filter((_, index) => obstacles[index] === null);
  const reasons = [...new Set(obstacles.filter((obstacle) => obstacle !== null))];
  if (left.length > 0 || reasons.length === 0) return { coupons: left, whyNone: null };
  const each = coupons.length === 1 ? 'The one you have is' : 'Each of yours is';
  return {
    coupons: [],
    whyNone: `${each} ${new Intl.ListFormat('en', { type: 'disjunction' }).format(reasons)}.`,
  };
}
