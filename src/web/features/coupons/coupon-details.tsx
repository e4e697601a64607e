import { Anchor, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { daysLeft } from '#contract/coupon-facts.ts';
import type { Coupon } from '#contract/coupons.ts';
import { BASE_CURRENCY } from '#contract/money.ts';
import { paths } from '#contract/pages.ts';
import { OFFER_PICTURE_SIZES } from '#contract/picture-addresses.ts';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { expiryBadge } from '#web/components/status-badge.tsx';
import { formatDate, formatDay, formatRegions, formatValue } from '#web/lib/format.ts';
import { useCurrency } from '#web/lib/viewer.tsx';
import classes from './coupon-details.module.css';
import { CouponFeedback } from './coupon-feedback.tsx';
import { CATEGORY_NAMES, dealObstacle, TRANSFERABLE_NAMES } from './wording.ts';

export function CouponDetails({ coupon }: { coupon: Coupon }) {
  return (
    <div className={classes.columns}>
      <div className={classes.words}>
        {coupon.imageUrl && (
          <PublicPicture
            url={coupon.imageUrl}
            alt={`Picture of the offer: ${coupon.title}`}
            sizes={OFFER_PICTURE_SIZES}
            className={classes.picture}
            isFirst
          />
        )}
        <Words title="Description" text={coupon.description} />
        <CouponFeedback coupon={coupon} />
        {coupon.terms && <Words title="Terms" text={coupon.terms} />}
        {coupon.sourceUrl && <Source url={coupon.sourceUrl} />}
      </div>
      <section className={classes.facts} aria-labelledby="coupon-facts">
        <Title order={2} size="h4" id="coupon-facts">
          Details
        </Title>
        <Facts coupon={coupon} />
      </section>
    </div>
  );
}

function Words({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <Title order={2} size="h4" mb={6}>
        {title}
      </Title>
      <Text className={classes.text} dir="auto">
        {text}
      </Text>
    </section>
  );
}

function Source({ url }: { url: string }) {
  return (
    <section>
      <Title order={2} size="h4" mb={6}>
        Source
      </Title>
      <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" className={classes.link}>
        {new URL(url).hostname} <IconExternalLink size={16} aria-label="(opens in a new tab)" role="img" />
      </Anchor>
    </section>
  );
}

function Facts({ coupon }: { coupon: Coupon }) {
  return (
    <dl className={classes.list}>
      <Fact name="Value">
        <Value coupon={coupon} />
      </Fact>
      <Fact name="Merchant">{coupon.merchant}</Fact>
      <Fact name="Category">{CATEGORY_NAMES[coupon.category]}</Fact>
      <Fact name="Expires">{expiryText(coupon)}</Fact>
      <Fact name="Valid in">{coupon.regions.length > 0 ? formatRegions(coupon.regions) : 'Anywhere'}</Fact>
      {coupon.transferable !== 'unknown' && (
        <Fact name="Transferable">{TRANSFERABLE_NAMES[coupon.transferable]}</Fact>
      )}
      <Fact name="Owner">
        <Anchor
          component={Link}
          to={paths.user(coupon.ownerId)}
          inherit
          underline="always"
          className="target"
        >
          {coupon.ownerUsername}
        </Anchor>
      </Fact>
      <Fact name="Listed">{formatDate(coupon.createdAt)}</Fact>
      {coupon.isVerified && <Fact name="Verified">Yes, the code was checked</Fact>}
      <Fact name="Availability">{availabilityOf(coupon)}</Fact>
    </dl>
  );
}

function availabilityOf(coupon: Coupon): string {
  const free = coupon.isOpenToOffers ? 'Open to swaps and bids' : 'Open to bids only';
  return dealObstacle(coupon) ?? free;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** In the viewer's currency. Charges are in CAD (decisions 1.2). */
function Value({ coupon }: { coupon: Coupon }) {
  const currency = useCurrency();
  if (coupon.value === 0) return 'See terms';
  const isForeign = coupon.discountType === 'fixed' && currency !== BASE_CURRENCY;
  return (
    <>
      {formatValue(coupon, currency)} off
      {isForeign && (
        <span className={classes.hint}>{formatValue(coupon, BASE_CURRENCY)}: charged in CAD</span>
      )}
      {coupon.isValueRead && (
        <span className={classes.hint}>Taken from the title: please check with the merchant.</span>
      )}
    </>
  );
}

function expiryText({ expiryDate, expiresAt }: Coupon): string {
  if (expiryDate === null || expiresAt === null) return 'Never';
  const now = new Date();
  const day = formatDay(expiryDate);
  const { text } = expiryBadge({ expiryDate, expiresAt }, now);
  if (text.includes(day)) return day;
  return daysLeft(expiresAt, now) > 0 ? `${day} (${text})` : `Expired on ${day}`;
}
