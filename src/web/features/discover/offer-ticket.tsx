import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { type DiscoverCoupon, TERMS_SHOWN } from '#contract/discover.ts';
import { formatDay } from '#contract/locale.ts';
import { paths } from '#contract/pages.ts';
import { TEXTS } from '#contract/texts.ts';
import { FeedbackButtons, FeedbackLine } from '#web/components/code-feedback.tsx';
import { CouponTicket, type TicketCoupon } from '#web/components/coupon-ticket.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import { rescueFocus } from '#web/lib/rescue-focus.ts';
import { toasts } from '#web/lib/toasts.ts';
import { ActiveOnly } from '#web/lib/viewer.tsx';
import classes from './discover.module.css';
import { useGiveFeedback, useImport } from './queries.ts';

/** An offer as a ticket without an owner. */
function toTicket(offer: DiscoverCoupon) {
  const { id, title, merchant, value, discountType, expiryDate, expiresAt, regions, isVerified } = offer;
  return {
    id,
    title,
    merchant,
    value: value ?? 0,
    discountType: discountType ?? 'fixed',
    expiryDate,
    expiresAt,
    regions,
    isVerified,
    ownerId: 0,
  } satisfies TicketCoupon;
}

/** An offer with all its details, and a button that imports it. */
export function OfferTicket({ offer }: { offer: DiscoverCoupon }) {
  const { code, merchant, title, description, terms, sourceUrl, isImported, isValueRead, endTime } = offer;
  const { id, feedback } = offer;
  const giving = useGiveFeedback({
    onError: (error) => toasts.failed(error, 'Answer not saved'),
  });
  const ending = endTime && endingText(endTime);
  const importedId = `offer-${offer.id}-imported`;
  const importing = useImport({
    onSuccess: () => {
      toasts.success('Coupon imported', 'Find it in My Coupons.');
      // A link has replaced the pressed button.
      rescueFocus([importedId]);
    },
    onError: (error) => toasts.failed(error, TEXTS.discover.importFailed, TEXTS.discover.importFailedText),
  });
  return (
    <CouponTicket
      coupon={toTicket(offer)}
      isLinked={false}
      actions={
        isImported ? (
          <Button
            component={Link}
            id={importedId}
            to={paths.myCouponsOf(merchant)}
            variant="light"
            color="green"
            leftSection={<IconCheck size={18} aria-hidden="true" />}
          >
            In My Coupons<VisuallyHidden>: {title}</VisuallyHidden>
          </Button>
        ) : (
          <ActiveOnly>
            <Button
              variant="default"
              px="sm"
              leftSection={<IconDownload size={18} aria-hidden="true" />}
              loading={importing.isPending}
              onClick={() => importing.mutate({ code, merchant })}
            >
              Import to My Coupons<VisuallyHidden>: {title}</VisuallyHidden>
            </Button>
          </ActiveOnly>
        )
      }
    >
      <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }} dir="auto">
        {description}
      </Text>
      <Text span c="dimmed" fz="caption">
        Code{' '}
        <code className={classes.code} translate="no">
          {code}
        </code>
      </Text>
      <FeedbackLine feedback={feedback} />
      <ActiveOnly>
        <FeedbackButtons
          own={feedback.own}
          title={title}
          isPending={giving.isPending}
          onTell={(worked) => giving.mutate({ id, worked })}
        />
      </ActiveOnly>
      {isValueRead && (
        <Text size="sm" c="dimmed">
          Taken from the title: please check with the merchant.
        </Text>
      )}
      {ending && (
        <Text size="sm" c="dimmed">
          {ending}
        </Text>
      )}
      {terms && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Terms: {shortTerms(terms)}
        </Text>
      )}
      {sourceUrl && (
        <Anchor
          href={sourceUrl}
          target="_blank"
          rel="noopener noreferrer nofollow"
          size="sm"
          className={classes.source}
        >
          See it on the merchant’s site
          <IconExternalLink size={15} aria-label="(opens in a new tab)" role="img" />
        </Anchor>
      )}
    </CouponTicket>
  );
}

/**
 * The time at which an offer ends: in local time where the zone is known. Null for the end of a day without a zone, which
 * says no more than the day.
 */
export function endingText(endTime: string): string | null {
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(endTime)) return `Ends ${formatDateTime(endTime)} (your time)`;
  const [day = '', time = ''] = endTime.split('T');
  const clock = time.slice(0, 5);
  return clock === '23:59' || clock === '00:00'
    ? null
    : `Ends ${formatDay(day)} at ${clock} (the merchant’s time)`;
}

/** An offer's terms as a card shows them (spec/3 section 2). The imported coupon has the whole text. */
export function shortTerms(terms: string): string {
  const characters = [...terms];
  return characters.length > TERMS_SHOWN ? `${characters.slice(0, TERMS_SHOWN).join('').trimEnd()}…` : terms;
}
