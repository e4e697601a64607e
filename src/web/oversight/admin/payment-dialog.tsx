import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'react-router-dom';
import { z } from 'zod';
import { marketName } from '#contract/base/market.ts';
import { baseCurrency, decimalToCents, formatDecimal, moneyText } from '#contract/base/money.ts';
import { paths } from '#contract/base/pages.ts';
import { type PaymentDetails, refundInputSchema } from '#contract/money/payment-issues.ts';
import { PROVIDER_NAMES } from '#contract/people/sellers.ts';
import { ReasonField } from '#web/components/decision-fields.tsx';
import { Dialog, DialogFooter, DialogForm } from '#web/components/dialog.tsx';
import { Facts } from '#web/components/facts.tsx';
import { QueryContent } from '#web/components/query-content.tsx';
import { AMOUNT_FIELD } from '#web/lib/keyboards.ts';
import { trpc } from '#web/lib/trpc.ts';
import { asDecimal, asTyped } from '#web/lib/typed-amount.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';
import { usePaymentFile } from './queries.ts';
import { paymentWord } from './wording.ts';

interface PaymentDialogProps {
  /** Null: closed. */
  readonly paymentId: number | null;
  readonly onClose: () => void;
}

/** A payment with all of its money, and a refund of a part or all of it. */
export function PaymentDialog({ paymentId, onClose }: PaymentDialogProps) {
  return (
    <Dialog
      isOpenInAddress={paymentId !== null}
      onClose={onClose}
      title={paymentId === null ? t`Payment` : t`Payment #${paymentId}`}
      size="lg"
    >
      {paymentId !== null && <Payment paymentId={paymentId} />}
    </Dialog>
  );
}

function Payment({ paymentId }: { paymentId: number }) {
  const query = usePaymentFile(paymentId);
  // Here and not in the form: the form resets when the payment changes, and this refund changes it before its answer comes.
  const refund = trpc.paymentIssues.refund.useMutation();
  return (
    <QueryContent
      query={query}
      errorTitle={t`Failed to load the payment`}
      skeleton={<Skeleton height={320} />}
    >
      {(file) => (
        <Stack>
          <PaymentFacts file={file} />
          <Anchor className="target" component={Link} to={paths.saleReceipt(paymentId)}>
            <Trans>Receipt and fee statement</Trans>
          </Anchor>
          {file.refundObstacle === null ? (
            <RefundForm key={file.returned} file={file} refund={refund} />
          ) : (
            <>
              <Text>
                <Trans>Nothing can be refunded now. {file.refundObstacle}</Trans>
              </Text>
              <DialogFooter cancelLabel={t`Done`} />
            </>
          )}
        </Stack>
      )}
    </QueryContent>
  );
}

function PaymentFacts({ file }: { file: PaymentDetails }) {
  const facts = [
    { name: t`Coupon`, value: file.couponTitle },
    { name: t`Buyer`, value: file.buyer.username },
    { name: t`Seller`, value: file.seller.username },
    { name: t`Provider`, value: PROVIDER_NAMES[file.provider] },
    { name: t`Status`, value: paymentWord(file.status) },
    { name: t({ context: 'amount', message: 'Paid' }), value: moneyText(file.captured) },
    { name: t({ context: 'amount', message: 'Refunded' }), value: moneyText(file.refunded) },
    { name: t`Taken by the bank`, value: moneyText(file.takenByBank) },
    { name: t`Paid out`, value: moneyText(file.paidOut) },
    { name: t`Taken back`, value: moneyText(file.reversed) },
    { name: t`Provider’s fees`, value: moneyText(file.providerFees) },
  ];
  return <Facts layout="columns" facts={facts} />;
}

/** Where the seller's part of a refund comes from: the ledger shares it out in proportion to the fees. */
function sellersPart({ provider, paidOut }: PaymentDetails): string {
  if (paidOut === '0.00') return t`We deduct it from the payout.`;
  return provider === 'stripe'
    ? t`We take it back from the seller’s balance at Stripe. If that is not enough, we withhold the rest from later payouts.`
    : t`PayPal takes it from the seller’s account.`;
}

const { amount: amountSchema } = refundInputSchema.shape;
const formSchema = refundInputSchema.extend({
  amount: z
    .string()
    .transform(asDecimal)
    .refine((amount) => amountSchema.safeParse(amount).success, t`Enter an amount above 0, such as 12.50`),
});

interface RefundFormProps {
  readonly file: PaymentDetails;
  readonly refund: ReturnType<typeof trpc.paymentIssues.refund.useMutation>;
}

function RefundForm({ file, refund }: RefundFormProps) {
  const { id: paymentId, refundable, returned } = file;
  const { form, submit, isPending } = useSendForm({
    schema: formSchema,
    initial: { paymentId, amount: asTyped(refundable), returned, reason: '' },
    mutation: refund,
    done: (_, { amount }) => [
      t`Refund decided`,
      t`${moneyText(amount)} goes back to ${file.buyer.username}.`,
    ],
    failed: [t`Nothing was refunded`],
  });
  return (
    <DialogForm
      onSubmit={submit}
      isPending={isPending}
      submitLabel={asDecimal(form.values.amount) === refundable ? t`Refund all` : t`Refund part`}
      isDangerous
    >
      <TextInput
        label={t`Refund in ${{ currency: baseCurrency() }}`}
        description={t`At most ${formatDecimal(decimalToCents(refundable))}. A full refund undoes the sale; a partial refund does not.`}
        {...AMOUNT_FIELD}
        withAsterisk
        {...form.getInputProps('amount')}
      />
      <Text size="sm">
        <Trans>
          {ph({ market: marketName() })} returns its fees for the refunded part. The seller bears the rest.{' '}
          {sellersPart(file)}
        </Trans>
      </Text>
      <ReasonField
        label={t`Reason`}
        description={t`We record it in the audit log and send it to both parties.`}
        input={form.getInputProps('reason')}
      />
    </DialogForm>
  );
}
