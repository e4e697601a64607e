import { NativeSelect, Switch, Text, TextInput, Title } from '@mantine/core';
import { MERCHANT_MAX, TITLE_MAX } from '#contract/coupon-facts.ts';
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
  const text = (field: 'merchant' | 'title' | 'value' | 'expiryDate') => ({
    value: common[field],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      onChange({ [field]: currentTarget.value }),
  });
  return (
    <Surface component="section" isSunken aria-labelledby="common-fields">
      <Title order={2} size="h4" id="common-fields">
        Fill the empty cells
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        What you enter here counts for every row where the cell is empty.
      </Text>
      <div className={classes.common}>
        <TextInput label="Merchant" maxLength={MERCHANT_MAX} {...text('merchant')} />
        <TextInput label="Title" maxLength={TITLE_MAX} {...text('title')} />
        <div className={classes.worth}>
          <TextInput label="Value" {...AMOUNT_FIELD} maxLength={12} {...text('value')} />
          <NativeSelect
            label="Unit"
            data={TYPES}
            value={common.discountType}
            onChange={({ currentTarget }) =>
              onChange({ discountType: currentTarget.value === 'percentage' ? 'percentage' : 'fixed' })
            }
          />
        </div>
        <NativeSelect
          label="Category"
          data={categoryChoices('Choose one')}
          value={common.category ?? ''}
          onChange={({ currentTarget }) => onChange({ category: categoryOf(currentTarget.value) })}
        />
        <TextInput label="Expiry date" type="date" {...text('expiryDate')} disabled={common.hasNoExpiry} />
        <Switch
          className={classes.commonSwitch}
          label="No expiry"
          checked={common.hasNoExpiry}
          onChange={({ currentTarget }) =>
            onChange({ hasNoExpiry: currentTarget.checked, ...(currentTarget.checked && { expiryDate: '' }) })
          }
        />
      </div>
    </Surface>
  );
}
