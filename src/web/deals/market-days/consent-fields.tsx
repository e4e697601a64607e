import { plural, t } from '@lingui/core/macro';
import { NativeSelect, NumberInput } from '@mantine/core';
import { z } from 'zod';
import { baseCurrency } from '#contract/base/money.ts';

/** For how long somebody can agree, in days. */
const DAYS = [7, 14, 30, 60] as const;
const DAY_MS = 86_400_000;

/** The day that is so many days after another. */
export const daysAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** An amount that is typed, as hundredths; null where it is empty. */
export const worthSchema = z
  .union([z.literal(''), z.number().positive({ error: () => t`More than 0` })])
  .transform((amount) => (amount === '' ? null : Math.round(amount * 100)));

interface FieldProps<Value> {
  readonly value?: Value;
  readonly onChange?: (value: Value) => void;
}

/** The least worth of what somebody gets. */
export function WorthField(props: object) {
  return (
    <NumberInput
      label={t`Worth at least, in ${baseCurrency()}`}
      description={t`Empty: anything, percentages, too.`}
      min={0}
      decimalScale={2}
      hideControls
      {...props}
    />
  );
}

/** Until when somebody agrees, a day; for so many days from the next market day on. */
export function UntilField({ from, value, onChange }: FieldProps<string> & { from: string }) {
  const choices = DAYS.map((days) => ({
    value: daysAfter(from, days),
    label: plural(days, { one: 'For # day', other: 'For # days' }),
  }));
  const known = choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      label={t`Until when`}
      data={known || !value ? choices : [{ value, label: t`Until ${value}` }, ...choices]}
      value={value ?? ''}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    />
  );
}
