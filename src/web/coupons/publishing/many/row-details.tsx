import { t } from '@lingui/core/macro';
import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { baseCurrency } from '#contract/base/money.ts';
import type { TableCoupon } from '#contract/coupons/coupon-tables.ts';
import { DESCRIPTION_MAX, PIN_MAX, TERMS_MAX } from '#contract/coupons/limits.ts';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { AMOUNT_FIELD, EXACT_FIELD } from '#web/lib/keyboards.ts';
import classes from './many.module.css';
import type { Errors } from './rows.ts';

interface RowDetailsProps {
  readonly coupon: TableCoupon;
  readonly errors: Errors;
  /** The description that is made from the other fields. */
  readonly example: string;
  /** The asking price of all rows without their own. */
  readonly commonPrice: string;
  /** Whether the coupon probably has a PIN that nobody has entered. */
  readonly lacksPin: boolean;
  readonly onChange: (change: Partial<TableCoupon>) => void;
}

/** The fields of a row that are rarely filled in. */
export function RowDetails({ coupon, errors, example, commonPrice, lacksPin, onChange }: RowDetailsProps) {
  return (
    <div className={classes.details}>
      <TextInput
        size="xs"
        label={t`PIN`}
        placeholder={t`Optional`}
        description={lacksPin ? t`Many gift cards have a PIN. Enter it if this one has one.` : undefined}
        {...EXACT_FIELD}
        maxLength={PIN_MAX}
        error={errors.pin}
        value={coupon.pin}
        onChange={({ currentTarget }) => onChange({ pin: currentTarget.value })}
      />
      <Textarea
        size="xs"
        label={t`Description`}
        placeholder={example}
        autosize
        maxLength={DESCRIPTION_MAX}
        error={errors.description}
        value={coupon.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      <Textarea
        size="xs"
        label={t`Terms`}
        placeholder={t`Optional. Minimum spend, exclusions`}
        autosize
        maxLength={TERMS_MAX}
        error={errors.terms}
        value={coupon.terms}
        onChange={({ currentTarget }) => onChange({ terms: currentTarget.value })}
      />
      <TextInput
        size="xs"
        label={t`Asking price (${{ currency: baseCurrency() }})`}
        placeholder={commonPrice || t`Optional`}
        {...AMOUNT_FIELD}
        maxLength={12}
        error={errors.askingPrice}
        value={coupon.askingPrice}
        onChange={({ currentTarget }) => onChange({ askingPrice: currentTarget.value })}
      />
      <MultiSelect
        size="xs"
        label={t`Valid in`}
        placeholder={coupon.regions.length > 0 ? undefined : t`Anywhere`}
        data={COUNTRY_CHOICES}
        searchable
        hidePickedOptions
        limit={50}
        nothingFoundMessage={t`No country with that name`}
        value={coupon.regions}
        onChange={(regions) => onChange({ regions })}
      />
    </div>
  );
}
