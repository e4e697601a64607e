import { t } from '@lingui/core/macro';
import { MultiSelect, Textarea, TextInput } from '@mantine/core';
import { DESCRIPTION_MAX, TERMS_MAX } from '#contract/coupon-facts.ts';
import type { TableCoupon } from '#contract/coupon-tables.ts';
import { baseCurrency } from '#contract/money.ts';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { AMOUNT_FIELD } from '#web/lib/keyboards.ts';
import classes from './many.module.css';
import type { Errors } from './rows.ts';

interface RowDetailsProps {
  readonly coupon: TableCoupon;
  readonly errors: Errors;
  /** The description that is made from the other fields. */
  readonly example: string;
  readonly onChange: (change: Partial<TableCoupon>) => void;
}

/** The fields of a row that are rarely filled in. */
export function RowDetails({ coupon, errors, example, onChange }: RowDetailsProps) {
  return (
    <div className={classes.details}>
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
        placeholder={t`Optional`}
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
