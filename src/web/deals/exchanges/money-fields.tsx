import { t } from '@lingui/core/macro';
import { Radio, Stack, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { z } from 'zod';
import { baseCurrency, decimalToCents, formatMoney, moneyText } from '#contract/base/money.ts';
import { type Money, moneySchema } from '#contract/deals/exchanges.ts';
import { feesOf } from '#contract/money/fees.ts';
import { feeRatesNow } from '#web/lib/fee-rates.ts';
import { AMOUNT_FIELD, CURRENCY_SIGN } from '#web/lib/keyboards.ts';
import { asDecimal, asTyped } from '#web/lib/typed-amount.ts';

/** Money as people choose and type it. */
export interface MoneyValues {
  readonly payer: 'none' | Money['payer'];
  readonly amount: string;
}

/** Null: no money. An error is about the amount. */
export const typedMoneySchema = z
  .object({ payer: z.enum(['none', 'author', 'other']), amount: z.string() })
  .transform(({ payer, amount }, context): Money | null => {
    if (payer === 'none') return null;
    const typed = moneySchema.safeParse({ payer, amount: asDecimal(amount) });
    if (typed.success) return typed.data;
    for (const { message } of typed.error.issues) {
      context.issues.push({ code: 'custom', message, path: ['amount'], input: amount });
    }
    return z.NEVER;
  });

/** What stands in the fields at first. */
export function moneyValues(money: Money | null): MoneyValues {
  return money ? { ...money, amount: asTyped(money.amount) } : { payer: 'none', amount: '' };
}

interface MoneyFieldsProps {
  readonly other: string;
  readonly value: MoneyValues;
  readonly inputOf: (field: keyof MoneyValues) => GetInputPropsReturnType;
}

/** Adds money to a swap: who pays, how much, and what that is with the fees. */
export function MoneyFields({ other, value, inputOf }: MoneyFieldsProps) {
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t`Add money`}
        description={t`Settle a difference in value. We hold the money, as for a sale.`}
        {...inputOf('payer')}
      >
        <Stack gap={0} mt={6}>
          <Choice value="none" label={t`No money`} />
          <Choice value="author" label={t`You pay ${other}`} />
          <Choice value="other" label={t`You ask ${other} to pay you`} />
        </Stack>
      </Radio.Group>
      {value.payer !== 'none' && (
        <>
          <TextInput
            label={t`Amount (${{ currency: baseCurrency() }})`}
            {...AMOUNT_FIELD}
            {...CURRENCY_SIGN}
            withAsterisk
            {...inputOf('amount')}
          />
          <Text size="sm" role="status">
            {feesText(value, other)}
          </Text>
        </>
      )}
    </Stack>
  );
}

/** A row that is as high as a finger. */
function Choice({ value, label }: { value: MoneyValues['payer']; label: string }) {
  return (
    <Radio
      value={value}
      label={label}
      styles={{
        body: { alignItems: 'center', minHeight: 44 },
        labelWrapper: { flex: 1 },
        label: { paddingBlock: 10 },
      }}
    />
  );
}

/** 'You pay $21.00 with the fee, and Theo gets $19.00.' */
function feesText(value: MoneyValues, other: string): string {
  const typed = typedMoneySchema.safeParse(value);
  if (!typed.success || typed.data === null) return t`The fees are shown once the amount is complete.`;
  const { buyerTotal, netAmount } = feesOf(decimalToCents(typed.data.amount), feeRatesNow());
  const [total, net] = [formatMoney(buyerTotal, baseCurrency()), formatMoney(netAmount, baseCurrency())];
  return value.payer === 'author'
    ? t`You pay ${total} with the fee, and ${other} gets ${net}.`
    : t`${other} pays ${total} with the fee, and you get ${net}.`;
}

/** 'You pay Theo $20.00 besides.'; '' without money or while it is not complete. */
export function moneySummary(value: MoneyValues, other: string): string {
  const typed = typedMoneySchema.safeParse(value);
  if (!typed.success || typed.data === null) return '';
  const amount = moneyText(typed.data.amount);
  return value.payer === 'author'
    ? t`You also pay ${other} ${amount}.`
    : t`${other} also pays you ${amount}.`;
}
