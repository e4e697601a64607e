import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { baseCurrency } from '#contract/base/money.ts';
import { type Bid, counterBidInputSchema } from '#contract/deals/bids.ts';
import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals/deals.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { trpc } from '#web/lib/trpc.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { AmountField, Breakdown, typedBidSchema } from './bid-fields.tsx';
import { sideOf, standingAmount } from './sides.ts';
import { amountsOf, charged, counterText } from './wording.ts';

const formSchema = counterBidInputSchema.extend({ amount: typedBidSchema });

/** Answers a bid, or a counter-offer to it, with another amount. */
export function Component({ bid }: { bid: Bid }) {
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { id: bid.id, amount: '', expectedAmount: standingAmount(bid) },
    mutation: trpc.bids.counter.useMutation(),
    done: () => [t`Counter-offer sent`],
    failed: [t`Counter-offer not sent`],
  });
  const side = sideOf(bid, useMember().id);
  const isBidder = side === 'bidder';
  const partner = isBidder ? bid.ownerUsername : bid.bidderUsername;
  return (
    <Dialog title={t`Make a counter-offer`}>
      <Stack>
        <CouponTicket coupon={bid.coupon} size="mini" isLinked={false} />
        <DialogForm
          onSubmit={submit}
          isPending={isPending}
          cancelLabel={t`Not now`}
          submitLabel={t`Send counter-offer`}
        >
          <Text>
            {counterText(bid, side) ?? t`${bid.bidderUsername} bids ${charged(amountsOf(bid).amount)}.`}
          </Text>
          <AmountField
            label={
              isBidder
                ? t`You bid (${{ currency: baseCurrency() }})`
                : t`You ask (${{ currency: baseCurrency() }})`
            }
            isDisabled={isPending}
            input={form.getInputProps('amount')}
          />
          {isBidder && <Breakdown label={t`You bid`} amount={form.values.amount} />}
          <Text size="sm" c="dimmed">
            <Trans>
              {partner} then has {COUNTER_HOURS} hours to answer. This is round {bid.round + 1} of at most{' '}
              {ROUNDS_MAX}.
            </Trans>
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
