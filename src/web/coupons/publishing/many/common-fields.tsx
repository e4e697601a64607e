import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect, Switch, Text, TextInput, Title } from '@mantine/core';
import { baseCurrency } from '#contract/base/money.ts';
import { MERCHANT_MAX, TITLE_MAX } from '#contract/coupons/limits.ts';
import { Surface } from '#web/components/surface.tsx';
import { AMOUNT_FIELD } from '#web/lib/keyboards.ts';
import { categoryChoices, categoryOf, TYPES } from './coupon-row.tsx';
import classes from './many.module.css';
import type { Common } from './rows.ts';

interface CommonFieldsProps {
  readonly common: Common;
  readonly onChange: (change: Partial<Common>) => void;
}

/** What counts for every row where its own cell is empty. */
export function CommonFields({ common, onChange }: CommonFieldsProps) {
  const text = (field: 'merchant' | 'title' | 'value' | 'expiryDate' | 'askingPrice') => ({
    value: common[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [field]: currentTarget.value }),
  });
  return (
    <Surface component="section" isSunken aria-labelledby="common-fields">
      <Title order={2} size="h4" id="common-fields">
        <Trans>Fill the empty cells</Trans>
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        <Trans>What you enter here counts for every row where the cell is empty.</Trans>
      </Text>
      <div className={classes.common}>
        <TextInput label={t`Merchant`} maxLength={MERCHANT_MAX} {...text('merchant')} />
        <TextInput label={t`Title`} maxLength={TITLE_MAX} {...text('title')} />
        <div className={classes.worth}>
          <TextInput label={t`Value`} {...AMOUNT_FIELD} maxLength={12} {...text('value')} />
          <NativeSelect
            label={t`Unit`}
            data={TYPES}
            value={common.discountType}
            onChange={({ currentTarget }) =>
              onChange({ discountType: currentTarget.value === 'percentage' ? 'percentage' : 'fixed' })
            }
          />
        </div>
        <NativeSelect
          label={t`Category`}
          data={categoryChoices(t`Choose one`)}
          value={common.category ?? ''}
          onChange={({ currentTarget }) => onChange({ category: categoryOf(currentTarget.value) })}
        />
        <TextInput
          label={t`Asking price (${{ currency: baseCurrency() }})`}
          placeholder={t`Optional`}
          {...AMOUNT_FIELD}
          maxLength={12}
          {...text('askingPrice')}
        />
        <TextInput label={t`Expiry date`} type="date" {...text('expiryDate')} disabled={common.hasNoExpiry} />
        <Switch
          className={classes.commonSwitch}
          label={t`No expiry`}
          checked={common.hasNoExpiry}
          onChange={({ currentTarget }) =>
            onChange({ hasNoExpiry: currentTarget.checked, ...(currentTarget.checked && { expiryDate: '' }) })
          }
        />
      </div>
    </Surface>
  );
}
