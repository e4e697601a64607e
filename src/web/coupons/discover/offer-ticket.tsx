import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { formatDay } from '#contract/base/locale.ts';
import { paths } from '#contract/base/pages.ts';
import { TEXTS } from '#contract/base/texts.ts';
import { type DiscoverCoupon, TERMS_SHOWN } from '#contract/coupons/discover.ts';
import { CouponTicket, type TicketCoupon } from '#web/components/coupon-ticket.tsx';
import { FeedbackButtons, FeedbackLine } from '#web/coupons/health/code-feedback.tsx';
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
    onError: (error) => toasts.failed(error, t`Answer not saved`),
  });
  const ending = endTime && endingText(endTime);
  const importedId = `offer-${offer.id}-imported`;
  const importing = useImport({
    onSuccess: () => {
      toasts.success(t`Coupon imported`, t`Find it in My Coupons.`);
      // A link has replaced the pressed button.
      rescueFocus([importedId]);
    },
    onError: (error) =>
      toasts.failed(error, TEXTS.discover.importFailed(), TEXTS.discover.importFailedText()),
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
            <Trans>
              In My Coupons<VisuallyHidden>: {title}</VisuallyHidden>
            </Trans>
          </Button>
        ) : (
          <ActiveOnly>
            <Button
              variant="default"
              px="sm"
              // Two lines where one has no room.
              styles={{ label: { lineHeight: 1.2, whiteSpace: 'normal' } }}
              leftSection={<IconDownload size={18} aria-hidden="true" />}
              loading={importing.isPending}
              onClick={() => importing.mutate({ code, merchant })}
            >
              <Trans>
                Import to My Coupons<VisuallyHidden>: {title}</VisuallyHidden>
              </Trans>
            </Button>
          </ActiveOnly>
        )
      }
    >
      <Text size="sm" lineClamp={3} style={{ overflowWrap: 'anywhere' }} dir="auto">
        {description}
      </Text>
      <Text span c="dimmed" fz="caption">
        <Trans>
          Code{' '}
          <code className={classes.code} translate="no">
            {code}
          </code>
        </Trans>
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
          <Trans>Taken from the title: please check with the merchant.</Trans>
        </Text>
      )}
      {ending && (
        <Text size="sm" c="dimmed">
          {ending}
        </Text>
      )}
      {terms && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Trans>Terms: {shortTerms(terms)}</Trans>
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
          <Trans>
            See it on the merchant’s site
            <IconExternalLink size={15} aria-label={t`(opens in a new tab)`} role="img" />
          </Trans>
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
  if (/(?:Z|[+-]\d\d:\d\d)$/.test(endTime)) return t`Ends ${formatDateTime(endTime)} (your time)`;
  const [day = '', time = ''] = endTime.split('T');
  const clock = time.slice(0, 5);
  return clock === '23:59' || clock === '00:00'
    ? null
    : t`Ends ${formatDay(day)} at ${clock} (the merchant’s time)`;
}

/** An offer's terms as a card shows them (spec/3 section 2). The imported coupon has the whole text. */
export function shortTerms(terms: string): string {
  const characters = [...terms];
  return characters.length > TERMS_SHOWN ? `${characters.slice(0, TERMS_SHOWN).join('').trimEnd()}…` : terms;
}
