import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  ActionIcon,
  Anchor,
  Button,
  Checkbox,
  NativeSelect,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { IconChevronDown, IconTrash } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { TableCoupon } from '#contract/coupons/coupon-tables.ts';
import { CODE_MAX, MERCHANT_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { OFFERED_CATEGORIES } from '#web/coupons/core/categories.ts';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import { lacksPin } from '#web/coupons/form/coupon-form-values.ts';
import { AMOUNT_FIELD, EXACT_FIELD } from '#web/lib/keyboards.ts';
import classes from './many.module.css';
import { RowDetails } from './row-details.tsx';
import { type Common, type Errors, type Field, type Row, valuesOf } from './rows.ts';

export const TYPES = [
  { value: 'fixed', label: '$' },
  { value: 'percentage', label: '%' },
];

/** @param none what the empty choice says */
export const categoryChoices = (none: string) => [
  { value: '', label: none },
  ...OFFERED_CATEGORIES.map((value) => ({ value, label: CATEGORY_NAMES[value] })),
];

export const categoryOf = (text: string) => OFFERED_CATEGORIES.find((category) => category === text) ?? null;

interface CouponRowProps {
  readonly row: Row;
  /** From 1. */
  readonly number: number;
  readonly common: Common;
  readonly errors: Errors;
  /** Whether another row has its code. */
  readonly isRepeated: boolean;
  readonly onChange: (key: string, change: Partial<TableCoupon>) => void;
  readonly onAcknowledge: (key: string) => void;
  readonly onRemove: (row: Row) => void;
}

/** A coupon of the table: a row with a cell a field, on phones a card. */
export const CouponRow = memo(function CouponRow(props: CouponRowProps) {
  const { row, number, common, errors: found, isRepeated, onChange, onAcknowledge, onRemove } = props;
  const { coupon, key } = row;
  const errors: Errors = isRepeated ? { code: t`Another row has this code.`, ...found } : found;
  const shown = valuesOf(row, common);
  const isPinMissing = coupon.code !== '' && lacksPin(shown);
  const isOpened =
    isPinMissing || Boolean(errors.pin || errors.description || errors.terms || errors.askingPrice);
  const [isOpen, setIsOpen] = useState(false);
  const change = (changes: Partial<TableCoupon>) => onChange(key, changes);
  const looks = (field: Field) => ({
    size: 'xs',
    classNames: { label: classes.label, description: classes.doubt },
    error: errors[field],
    description: errors[field] ? undefined : row.doubts[field],
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
  });
  const text = (field: 'merchant' | 'title' | 'value' | 'code' | 'expiryDate') => ({
    ...looks(field),
    value: coupon[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      change({ [field]: currentTarget.value }),
  });
  return (
    <fieldset className={classes.row} data-broken={Object.keys(errors).length > 0 || undefined}>
      <VisuallyHidden component="legend">
        <Trans>Row {number}</Trans>
      </VisuallyHidden>
      <Text className={classes.number} aria-hidden="true">
        {number}
      </Text>
      <TextInput
        className={classes.wide}
        label={t`Merchant`}
        placeholder={shown.merchant}
        maxLength={MERCHANT_MAX}
        {...text('merchant')}
      />
      <TextInput
        className={classes.wide}
        label={t`Title`}
        placeholder={shown.title}
        maxLength={TITLE_MAX}
        {...text('title')}
      />
      <div className={classes.worth}>
        <TextInput
          label={t`Value`}
          placeholder={shown.value}
          {...AMOUNT_FIELD}
          maxLength={12}
          {...text('value')}
        />
        <NativeSelect
          {...looks('discountType')}
          label={t`Unit`}
          data={TYPES}
          value={shown.discountType}
          onChange={({ currentTarget }) =>
            change({
              discountType: currentTarget.value === 'percentage' ? 'percentage' : 'fixed',
              // A common value would keep its own unit.
              value: shown.value,
            })
          }
        />
      </div>
      <NativeSelect
        {...looks('category')}
        label={t`Category`}
        data={categoryChoices(common.category ? CATEGORY_NAMES[common.category] : t`Choose one`)}
        value={coupon.category ?? ''}
        onChange={({ currentTarget }) => change({ category: categoryOf(currentTarget.value) })}
      />
      <div>
        <TextInput
          label={t`Expiry date`}
          type="date"
          {...text('expiryDate')}
          value={shown.expiryDate}
          disabled={shown.hasNoExpiry}
        />
        <Checkbox
          size="xs"
          className={classes.endless}
          label={t`No expiry`}
          checked={shown.hasNoExpiry}
          onChange={({ currentTarget }) => change({ hasNoExpiry: currentTarget.checked, expiryDate: '' })}
        />
      </div>
      <div>
        <TextInput label={t`Code`} maxLength={CODE_MAX} {...EXACT_FIELD} {...text('code')} />
        {row.picture && (
          <Anchor size="xs" href={row.picture.url} target="_blank" className={classes.picture}>
            <Trans>See the picture</Trans>
          </Anchor>
        )}
        {row.deadCode === 'refused' && (
          <Button mt={4} size="compact-xs" variant="default" onClick={() => onAcknowledge(key)}>
            <Trans>List it anyway</Trans>
          </Button>
        )}
      </div>
      <div className={classes.acts}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          title={t`More fields`}
          aria-label={t`More fields of row ${number}`}
          aria-expanded={isOpen || isOpened}
          onClick={() => setIsOpen(!isOpen)}
        >
          <IconChevronDown size={18} aria-hidden="true" color="var(--mantine-color-text)" />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={30}
          title={t`Remove this row`}
          aria-label={t`Remove row ${number}`}
          onClick={() => onRemove(row)}
        >
          <IconTrash size={18} aria-hidden="true" color="var(--mantine-color-text)" />
        </ActionIcon>
      </div>
      {row.source !== undefined && (
        <Text className={classes.whole} size="sm" c="dimmed">
          <Trans>From your email. {row.source}</Trans>
        </Text>
      )}
      {(isOpen || isOpened) && (
        <RowDetails
          coupon={coupon}
          errors={errors}
          example={shown.description}
          commonPrice={common.askingPrice}
          lacksPin={isPinMissing}
          onChange={change}
        />
      )}
      {errors[''] && (
        <Text className={classes.whole} size="sm" c="red" role="alert">
          {errors['']}
        </Text>
      )}
    </fieldset>
  );
});
