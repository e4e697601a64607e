import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, VisuallyHidden } from '@mantine/core';
import { IconLock, IconRosetteDiscountCheck, IconStarFilled } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { RATING_MAX } from '#contract/base/bounds.ts';
import { paths } from '#contract/base/pages.ts';
import type { Coupon, CouponSummary } from '#contract/coupons/coupons.ts';
import { CODE_MASK } from '#contract/coupons/limits.ts';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import { aboutValue, formatDecimal, formatRegions, formatValue } from '#web/lib/format.ts';
import { useCurrency, useViewer } from '#web/lib/viewer.tsx';
import classes from './coupon-ticket.module.css';
import { NO_CODE, NOT_TRANSFERABLE } from './deal-notes.tsx';
import { PublicPicture } from './public-picture.tsx';
import { ExpiryBadge, ToneBadge } from './status-badge.tsx';

export type TicketSize = 'full' | 'card' | 'small' | 'mini';

/** What a ticket shows; lists know more of a coupon than deals do. */
export type TicketCoupon = Omit<
  CouponSummary,
  'value' | 'imageUrl' | 'ownerUsername' | 'hasCode' | 'regions' | 'transferable' | 'reissuedAt'
> & {
  /** In hundredths; null while nobody has entered one. */
  readonly value: number | null;
} & Partial<
    Pick<
      Coupon,
      | 'imageUrl'
      | 'ownerUsername'
      | 'isReserved'
      | 'usedAt'
      | 'isVerified'
      | 'hasCode'
      | 'codePreview'
      | 'ownerRating'
      | 'regions'
      | 'transferable'
    >
  >;

interface CouponTicketProps {
  readonly coupon: TicketCoupon;
  readonly size?: TicketSize;
  /** Buttons at the ticket's foot; an element with `data-side` puts its buttons in a column on the right. */
  readonly actions?: ReactNode;
  /** More badges, beside those of the coupon itself. */
  readonly badges?: ReactNode;
  /** More about the coupon, above the buttons. */
  readonly children?: ReactNode;
  /** The heading's level, to fit the page's outline. */
  readonly titleOrder?: 1 | 2 | 3 | 4;
  /** Whether the title links to the coupon's page. */
  readonly isLinked?: boolean;
}

/** How many countries a ticket names, but on the coupon's page. */
const REGIONS_SHOWN = 2;

function monogram(merchant: string): string {
  const words = merchant.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [merchant.slice(0, 2)];
  return letters.join('').toUpperCase();
}

/** The widths of pictures on stubs, as in coupon-ticket.module.css. */
const PICTURE_WIDTHS: Record<TicketSize, string> = {
  full: '188px',
  card: '96px',
  small: '64px',
  mini: '34px',
};

/** The picture of the offer, or else the merchant's initials. */
function Emblem({ coupon, size }: { coupon: TicketCoupon; size: TicketSize }) {
  if (coupon.imageUrl) {
    return (
      <PublicPicture
        url={coupon.imageUrl}
        alt=""
        sizes={PICTURE_WIDTHS[size]}
        className={classes.picture}
        isFirst={size === 'full'}
      />
    );
  }
  if (size === 'small') return null;
  return (
    <span className={classes.monogram} aria-hidden="true">
      {monogram(coupon.merchant)}
    </span>
  );
}

function Stub({ coupon, size }: { coupon: TicketCoupon; size: TicketSize }) {
  const about = aboutValue(coupon, useCurrency());
  const [amount = '', unit] = formatValue(coupon).split(' ');
  const isStated = coupon.value !== 0;
  return (
    <div className={classes.stub} data-stub>
      <Emblem coupon={coupon} size={size} />
      {size !== 'mini' && (
        <>
          <span className={classes.value} style={{ '--characters': amount.length } as CSSProperties}>
            {amount}
          </span>
          {coupon.value !== null && (
            <span className={classes.unit}>{isStated ? (unit ? t`${unit} off` : t`off`) : t`See terms`}</span>
          )}
          {about && <span className={classes.about}>{about}</span>}
        </>
      )}
    </div>
  );
}

/** '★ 8.6' in lists; a coupon's page says who it is from, with their score, once. */
function OwnerRating({ rating }: { rating: number }) {
  const mean = formatDecimal(rating);
  return (
    <span className={classes.rating} role="img" aria-label={t`rated ${mean} of ${RATING_MAX}`}>
      <IconStarFilled size={12} aria-hidden="true" /> {mean}
    </span>
  );
}

const HIDDEN = t`Codes are hidden for security`;

/** The code on a line of its own: a preview for the owner, a mask and the reason for it for everybody else. */
function CodeLine({ coupon, isOwner }: { coupon: TicketCoupon; isOwner: boolean }) {
  // A summary says only by a badge that there is no code.
  if (coupon.codePreview === undefined) return null;
  if (!coupon.hasCode) {
    return (
      <span className={classes.quiet}>
        {isOwner
          ? t`No code on file: you have to hand this coupon over yourself.`
          : t`No code on file: after a deal, the owner has to hand it over.`}
      </span>
    );
  }
  if (!isOwner) {
    return (
      <span className={classes.quiet}>
        <span className={classes.code} aria-hidden="true">
          {CODE_MASK}
        </span>{' '}
        <IconLock size={13} aria-hidden="true" /> {HIDDEN}
      </span>
    );
  }
  return (
    <span className={classes.quiet}>
      {coupon.codePreview ? (
        <Trans>
          Code{' '}
          <span className={classes.code} translate="no">
            {coupon.codePreview}
          </span>
        </Trans>
      ) : (
        t`Code in a picture`
      )}
    </span>
  );
}

/**
 * A coupon as a tear-off ticket: the value on a stub in the merchant's colour, a perforation, and the details. Used
 * wherever a coupon is shown, in four sizes.
 */
export function CouponTicket({
  coupon,
  size = 'card',
  actions,
  badges,
  children,
  titleOrder = 3,
  isLinked = true,
}: CouponTicketProps) {
  const Heading = `h${titleOrder}` as const;
  const about = aboutValue(coupon, useCurrency());
  const hasDetails = size === 'full' || size === 'card';
  const isOwner = useViewer().user?.id === coupon.ownerId;
  const isMasked = size === 'card' && !isOwner && coupon.hasCode && coupon.codePreview !== undefined;
  return (
    <article className={classes.frame} aria-label={coupon.title}>
      <div
        className={`${classes.ticket} ${size === 'card' ? '' : classes[size]}`}
        style={{ '--stub-color': stubColor(coupon.merchant) } as CSSProperties}
      >
        <Stub coupon={coupon} size={size} />
        <div className={classes.body}>
          <Heading className={classes.title} dir="auto">
            {isLinked ? <Link to={paths.coupon(coupon.id)}>{coupon.title}</Link> : coupon.title}
          </Heading>
          {size === 'mini' ? (
            <span className={classes.quiet}>
              {[formatValue(coupon), about].filter(Boolean).join(', ')}
              {coupon.hasCode === false && ` · ${NO_CODE}`}
            </span>
          ) : (
            <span className={classes.merchant}>
              <VisuallyHidden>
                <Trans>Merchant:</Trans>{' '}
              </VisuallyHidden>
              {size === 'full' ? (
                <Link to={paths.merchant(coupon.merchant)} className="target">
                  {coupon.merchant}
                </Link>
              ) : (
                coupon.merchant
              )}
            </span>
          )}
          {hasDetails && coupon.ownerUsername && (
            <span className={classes.quiet}>
              <Trans>from {coupon.ownerUsername}</Trans>{' '}
              {size === 'card' && coupon.ownerRating != null && <OwnerRating rating={coupon.ownerRating} />}{' '}
              {isMasked && (
                <span className={classes.mask} role="img" aria-label={HIDDEN}>
                  {CODE_MASK}
                </span>
              )}
            </span>
          )}
          {size !== 'mini' && (
            <div className={classes.badges}>
              {coupon.usedAt ? (
                <ToneBadge tone="neutral">
                  <Trans>Used</Trans>
                </ToneBadge>
              ) : (
                <ExpiryBadge expiryDate={coupon.expiryDate} expiresAt={coupon.expiresAt} />
              )}
              {coupon.hasCode === false && <ToneBadge tone="warning">{NO_CODE}</ToneBadge>}
              {coupon.regions && coupon.regions.length > 0 && (
                <ToneBadge tone="neutral">
                  <Trans>
                    Valid only in {formatRegions(coupon.regions, size === 'full' ? undefined : REGIONS_SHOWN)}
                  </Trans>
                </ToneBadge>
              )}
              {coupon.transferable === 'no' && <ToneBadge tone="warning">{NOT_TRANSFERABLE}</ToneBadge>}
              {coupon.isReserved && (
                <ToneBadge tone="info">
                  <Trans>Reserved</Trans>
                </ToneBadge>
              )}
              {coupon.isVerified && (
                <ToneBadge tone="success">
                  <IconRosetteDiscountCheck size={14} aria-hidden="true" />{' '}
                  <Trans context="coupon">Verified</Trans>
                </ToneBadge>
              )}
              {badges}
            </div>
          )}
          {hasDetails && !isMasked && <CodeLine coupon={coupon} isOwner={isOwner} />}
          {children}
          {actions && <div className={classes.actions}>{actions}</div>}
        </div>
      </div>
    </article>
  );
}

/** A ticket while it loads, in the same shape. */
export function CouponTicketSkeleton({ size = 'card' }: { size?: TicketSize }) {
  const isTall = size === 'card' || size === 'full';
  return (
    <div className={classes.frame} aria-hidden="true">
      <div
        className={`${classes.ticket} ${size === 'card' ? '' : classes[size]}`}
        style={{ '--stub-color': 'var(--neutral-ground)' } as CSSProperties}
      >
        <div className={classes.stub}>
          {size !== 'small' && <span className={classes.monogram} />}
          {size !== 'mini' && <Skeleton height={22} width="80%" />}
        </div>
        <div className={classes.body}>
          <Skeleton height={20} width="85%" />
          {size !== 'mini' && <Skeleton height={16} width="50%" mt={6} />}
          {isTall && <Skeleton height={14} width="40%" mt={4} />}
          {size !== 'mini' && <Skeleton height={22} width={90} radius="xl" mt={4} />}
          {isTall && <Skeleton height={14} width="70%" mt={4} />}
          {isTall && (
            <div className={classes.actions}>
              <Skeleton height={36} width={110} radius="xl" />
            </div>
          )}
        </div>
      </div>
    </div>
  );
}
