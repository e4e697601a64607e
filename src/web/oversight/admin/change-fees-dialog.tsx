import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SimpleGrid, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { z } from 'zod';
import { roundAmount } from '#contract/base/base-currency.ts';
import { percentText } from '#contract/base/locale.ts';
import { baseCurrency, centsToDecimal, formatMoney } from '#contract/base/money.ts';
import {
  eachRateText,
  type FeeRate,
  type FeeRates,
  feesOf,
  MAX_FEE_BASIS_POINTS,
  maxFeeMinimum,
} from '#contract/money/fees.ts';
import type { ChangeSettingInput, Settings } from '#contract/people/settings.ts';
import { Dialog, DialogForm } from '#web/components/dialog.tsx';
import { AMOUNT_FIELD } from '#web/lib/keyboards.ts';
import { trpc } from '#web/lib/trpc.ts';
import { asTyped, typedCents } from '#web/lib/typed-amount.ts';
import { useSendForm } from '#web/lib/use-send-form.ts';

/** Hundredths, as people type them. */
const typed = (max: number, text: string) =>
  z
    .string()
    .transform((given) => typedCents(given))
    .pipe(z.int(text).min(0, text).max(max, text));
const percent = typed(
  MAX_FEE_BASIS_POINTS,
  t`Enter a percentage from 0 to ${percentText(MAX_FEE_BASIS_POINTS)}, such as 4.5`,
);
const minimum = typed(
  maxFeeMinimum(),
  t`Enter an amount of at most ${formatMoney(maxFeeMinimum(), baseCurrency())}; 0 for none`,
);

const ratesSchema = z
  .object({ buyerPercent: percent, buyerMinimum: minimum, sellerPercent: percent, sellerMinimum: minimum })
  .transform((given) => ({
    buyer: { basisPoints: given.buyerPercent, minimum: given.buyerMinimum },
    seller: { basisPoints: given.sellerPercent, minimum: given.sellerMinimum },
  }));

const typedRate = (rate: FeeRate) =>
  [rate.basisPoints, rate.minimum].map((part) => asTyped(centsToDecimal(part).replace(/\.?0+$/, '') || '0'));

/** Changes what the parties of a sale pay. */
export function Component({ setting: { value, change } }: { setting: Settings['feeRates'] }) {
  const [buyerPercent = '', buyerMinimum = ''] = typedRate(value.buyer);
  const [sellerPercent = '', sellerMinimum = ''] = typedRate(value.seller);
  const { form, submit, isPending } = useSendForm({
    schema: ratesSchema.transform(
      (rates): ChangeSettingInput => ({ name: 'feeRates', value: rates, follows: change?.id ?? null }),
    ),
    initial: { buyerPercent, buyerMinimum, sellerPercent, sellerMinimum },
    mutation: trpc.settings.change.useMutation(),
    done: () => [t`Fees changed`, t`The new fees apply to bids accepted from now on.`],
    failed: [t`Nothing was changed`],
  });
  const rates = ratesSchema.safeParse(form.getValues()).data;
  return (
    <Dialog title={t`Change the fees`} size="lg">
      <DialogForm onSubmit={submit} isPending={isPending} submitLabel={t`Change the fees`} isDangerous>
        <SimpleGrid cols={{ base: 1, xs: 2 }} verticalSpacing="sm">
          <PercentField label={t`Buyer pays`} input={form.getInputProps('buyerPercent')} isFirst />
          <MinimumField label={t`Buyer pays at least`} input={form.getInputProps('buyerMinimum')} />
          <PercentField label={t`Seller pays`} input={form.getInputProps('sellerPercent')} />
          <MinimumField label={t`Seller pays at least`} input={form.getInputProps('sellerMinimum')} />
        </SimpleGrid>
        <div role="status">{rates && <Consequences rates={rates} />}</div>
      </DialogForm>
    </Dialog>
  );
}

interface FieldProps {
  readonly label: string;
  readonly input: GetInputPropsReturnType;
  readonly isFirst?: boolean;
}

function PercentField({ label, input, isFirst }: FieldProps) {
  return (
    <TextInput
      label={label}
      {...AMOUNT_FIELD}
      rightSection="%"
      withAsterisk
      data-autofocus={isFirst || undefined}
      {...input}
    />
  );
}

function MinimumField({ label, input }: FieldProps) {
  return (
    <TextInput
      label={label}
      {...AMOUNT_FIELD}
      rightSection={baseCurrency()}
      rightSectionWidth={56}
      withAsterisk
      {...input}
    />
  );
}

/** A bid that shows what the fees mean, in cents. */
const EXAMPLE = roundAmount(2_000);

/** What will happen. */
function Consequences({ rates }: { rates: FeeRates }) {
  const { buyerTotal, netAmount } = feesOf(EXAMPLE, rates);
  const [bid, paid, received] = [EXAMPLE, buyerTotal, netAmount].map((cents) =>
    formatMoney(cents, baseCurrency()),
  );
  return (
    <Text size="sm">
      <Trans>
        Bids accepted from now on have these fees: {eachRateText(rates)}. For a bid of {bid}, the buyer pays{' '}
        {paid} and the seller receives {received}. Bids already accepted keep their fees.
      </Trans>
    </Text>
  );
}
