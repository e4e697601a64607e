import { Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Bid, counterBidInputSchema } from '#contract/bids.ts';
import { COUNTER_HOURS, ROUNDS_MAX } from '#contract/deals.ts';
import { decimalToCents } from '#contract/money.ts';
import { CouponTicket } from '#web/components/coupon-ticket.tsx';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { dialogAnswers } from '#web/lib/dialog-answers.ts';
import { asDecimal } from '#web/lib/typed-amount.ts';
import { useMember } from '#web/lib/viewer.tsx';
import { Breakdown } from './breakdown.tsx';
import { useCounter } from './queries.ts';
import { sideOf, standingAmount } from './sides.ts';
import { charged } from './wording.ts';

interface CounterDialogProps {
  readonly bid: Bid;
  readonly onClose: () => void;
}

/** Answers a bid, or a counter-offer to it, with another amount. */
export function Component({ bid, onClose }: CounterDialogProps) {
  const [amount, setAmount] = useState('');
  const [error, setError] = useState<string>();
  const counter = useCounter();
  const isBidder = sideOf(bid, useMember().id) === 'bidder';
  const standing = charged(decimalToCents(standingAmount(bid)));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = counterBidInputSchema.shape.amount.safeParse(asDecimal(amount));
    setError(given.error?.issues[0]?.message);
    if (!given.success) return;
    counter.mutate(
      { id: bid.id, amount: given.data, expectedAmount: standingAmount(bid) },
      dialogAnswers({
        onClose,
        done: () => ['Counter-offer sent'],
        failedTitle: 'It was not sent',
        form: { setErrors: (errors) => setError(errors.amount) },
      }),
    );
  };
  return (
    <Dialog title="Counter with an amount">
      <Stack>
        <CouponTicket coupon={bid.coupon} size="mini" isLinked={false} />
        <DialogForm onSubmit={submit} isPending={counter.isPending} cancelLabel="Not now" submitLabel="Send">
          <Text>
            {isBidder
              ? `${bid.ownerUsername} asks ${standing}. You bid ${charged(decimalToCents(bid.amount))}.`
              : `${bid.bidderUsername} bids ${standing}.`}
          </Text>
          <TextInput
            label={isBidder ? 'You offer (CAD)' : 'You ask (CAD)'}
            inputMode="decimal"
            autoComplete="off"
            withAsterisk
            leftSection="$"
            data-autofocus
            disabled={counter.isPending}
            value={amount}
            error={error}
            onChange={(event) => setAmount(event.currentTarget.value)}
          />
          {isBidder && <Breakdown label="You offer" amount={asDecimal(amount)} />}
          <Text size="sm" c="dimmed">
            {isBidder ? bid.ownerUsername : bid.bidderUsername} then has {COUNTER_HOURS} hours to answer. This
            is round {bid.round + 1} of at most {ROUNDS_MAX}.
          </Text>
        </DialogForm>
      </Stack>
    </Dialog>
  );
}
