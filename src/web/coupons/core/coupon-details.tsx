import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Text, Title } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { formatDay } from '#contract/base/locale.ts';
import type { Coupon } from '#contract/coupons/coupons.ts';
import { isExpired } from '#contract/coupons/days-left.ts';
import { OFFER_PICTURE_SIZES } from '#contract/people/picture-addresses.ts';
import { PlainList } from '#web/components/plain-list.tsx';
import { PublicPicture } from '#web/components/public-picture.tsx';
import { CouponFeedback } from '#web/coupons/health/coupon-feedback.tsx';
import { formatDate } from '#web/lib/format.ts';
import classes from './coupon-details.module.css';
import { ownWords } from './own-words.ts';
import { CATEGORY_NAMES } from './wording.ts';

/** What a coupon's page says of it besides its ticket. */
export function CouponDetails({ coupon }: { coupon: Coupon }) {
  const description = ownWords(coupon);
  return (
    <div className={classes.words}>
      {coupon.imageUrl && (
        <PublicPicture
          url={coupon.imageUrl}
          alt={t`Picture of the offer: ${coupon.title}`}
          sizes={OFFER_PICTURE_SIZES}
          className={classes.picture}
          isFirst
        />
      )}
      {description && <Words title={t`Description`} text={description} />}
      <CouponFeedback coupon={coupon} />
      {coupon.terms && <Words title={t`Terms`} text={coupon.terms} />}
      {coupon.sourceUrl && <Source url={coupon.sourceUrl} />}
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
        <Trans>Source</Trans>
      </Title>
      <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" className={classes.link}>
        {new URL(url).hostname} <IconExternalLink size={16} aria-label={t`(opens in a new tab)`} role="img" />
      </Anchor>
    </section>
  );
}

/** On the ticket of a coupon's page: what its badges do not say. */
export function CouponFacts({ coupon }: { coupon: Coupon }) {
  const facts = [
    CATEGORY_NAMES[coupon.category],
    lastDayText(coupon),
    coupon.transferable === 'yes' && t({ context: 'coupon', message: 'Transferable' }),
    t`Listed on ${formatDate(coupon.createdAt)}`,
    coupon.isValueRead && t`The value is taken from the title: please check with the merchant`,
  ];
  return (
    <PlainList className={classes.facts} aria-label={t`Details`}>
      {facts.map((fact) => fact && <li key={fact}>{fact}</li>)}
    </PlainList>
  );
}

/** The last day where the ticket's badge counts the days that are left. */
function lastDayText(coupon: Coupon): string | null {
  if (coupon.expiryDate === null || coupon.expiresAt === null) return null;
  const day = formatDay(coupon.expiryDate);
  return isExpired(coupon) ? t`Expired on ${day}` : t`Last day: ${day}`;
}
