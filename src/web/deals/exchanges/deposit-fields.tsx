import { t } from '@lingui/core/macro';
import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { z } from 'zod';
import { baseCurrency, formatMoney } from '#contract/base/money.ts';
import { DEPOSIT, depositAmountSchema } from '#contract/money/deposits.ts';
import { AMOUNT_FIELD, CURRENCY_SIGN } from '#web/lib/keyboards.ts';
import { trpc } from '#web/lib/trpc.ts';
import { asDecimal, asTyped } from '#web/lib/typed-amount.ts';

/** A deposit as people choose and type it. */
export interface DepositValues {
  readonly isAsked: boolean;
  readonly amount: string;
}

/** Null: no deposit. An error is about the amount. */
export const typedDepositSchema = z
  .object({ isAsked: z.boolean(), amount: z.string() })
  .transform(({ isAsked, amount }, context): string | null => {
    if (!isAsked) return null;
    const typed = depositAmountSchema.safeParse(asDecimal(amount));
    if (typed.success) return typed.data;
    for (const { message } of typed.error.issues) {
      context.issues.push({ code: 'custom', message, path: ['amount'], input: amount });
    }
    return z.NEVER;
  });

/** What stands in the fields at first. */
export function depositValues(deposit: string | null): DepositValues {
  return { isAsked: deposit !== null, amount: deposit === null ? '' : asTyped(deposit) };
}

/**
 * Whether a proposal to these people can ask for a deposit.
 * @param suggest is told the deposit that is suggested because somebody is new, once it is known
 */
export function useDepositTerms(userIds: readonly number[], suggest: (deposit: string) => void): boolean {
  const { data } = trpc.exchanges.depositTerms.useQuery({ userIds: [...userIds] });
  const suggested = data?.deposit;
  const tell = useEffectEvent(suggest);
  useEffect(() => {
    if (suggested) tell(suggested);
  }, [suggested]);
  return data?.isAvailable ?? false;
}

const money = (cents: number) => formatMoney(cents, baseCurrency());

interface DepositFieldsProps {
  readonly value: DepositValues;
  /** What it means, in one sentence. */
  readonly explanation: string;
  readonly isAskedInput: GetInputPropsReturnType;
  readonly amountInput: GetInputPropsReturnType;
  /** What the server says of the deposit. */
  readonly error: ReactNode;
}

/** Asks that each side puts up a deposit. */
export function DepositFields({ value, explanation, isAskedInput, amountInput, error }: DepositFieldsProps) {
  const [least, most] = [money(DEPOSIT.min), money(DEPOSIT.max)];
  return (
    <Stack gap="xs">
      <Checkbox label={t`Ask for a deposit`} description={explanation} {...isAskedInput} />
      {value.isAsked && (
        <TextInput
          label={t`Deposit (${{ currency: baseCurrency() }})`}
          description={t`From ${least} to ${most}, and no more than the smaller value`}
          {...AMOUNT_FIELD}
          {...CURRENCY_SIGN}
          withAsterisk
          {...amountInput}
          error={amountInput.error ?? error}
        />
      )}
    </Stack>
  );
}
