import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Collapse,
  Input,
  MultiSelect,
  SegmentedControl,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconChevronDown } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { baseCurrency } from '#contract/base/money.ts';
import { TRANSFERABLE } from '#contract/coupons/choices.ts';
import { DESCRIPTION_MAX, PIN_MAX, TERMS_MAX } from '#contract/coupons/limits.ts';
import { NotTransferableNote } from '#web/components/deal-notes.tsx';
import { TRANSFERABLE_NAMES } from '#web/coupons/core/wording.ts';
import { COUNTRY_CHOICES } from '#web/lib/country-choices.ts';
import { AMOUNT_FIELD, CURRENCY_SIGN, EXACT_FIELD } from '#web/lib/keyboards.ts';
import { localDay } from '#web/lib/local-day.ts';
import { asTyped } from '#web/lib/typed-amount.ts';
import classes from './coupon-form.module.css';
import { type CouponFormValues, EMPTY_COUPON } from './coupon-form-values.ts';
import type { MarkOf } from './reading/marks.tsx';

interface FieldsProps {
  readonly form: UseFormReturnType<CouponFormValues>;
  readonly markOf?: MarkOf;
}

const DISCOUNT_TYPES = [
  { value: 'fixed', label: t`Fixed amount` },
  { value: 'percentage', label: t`Percentage` },
];

/** The discount type and the value. */
export function WorthFields({ form, markOf, hint }: FieldsProps & { readonly hint?: string }) {
  const isPercentage = form.values.discountType === 'percentage';
  const typeId = useId();
  return (
    <div className={classes.pair}>
      <Input.Wrapper label={t`Discount type`} labelElement="div" labelProps={{ id: typeId }}>
        <SegmentedControl
          fullWidth
          aria-labelledby={typeId}
          data={DISCOUNT_TYPES}
          {...form.getInputProps('discountType')}
        />
      </Input.Wrapper>
      <TextInput
        label={isPercentage ? t`Value (%)` : t`Value (${{ currency: baseCurrency() }})`}
        description={isPercentage ? undefined : hint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...markOf?.('value')}
        placeholder={isPercentage ? '20' : asTyped('10.00')}
        required
        {...AMOUNT_FIELD}
        maxLength={12}
        {...form.getInputProps('value')}
      />
    </div>
  );
}

/** The last day, or "No expiry". */
export function ExpiryFields({ form, markOf }: FieldsProps) {
  return (
    <div className={classes.pair}>
      <TextInput
        type="date"
        label={t`Expiry date`}
        required={!form.values.hasNoExpiry}
        disabled={form.values.hasNoExpiry}
        min={localDay(new Date())}
        {...markOf?.('expiryDate')}
        {...form.getInputProps('expiryDate')}
      />
      <Switch
        className={classes.switch}
        label={t`No expiry`}
        {...(markOf && { description: markOf('hasNoExpiry').description })}
        {...form.getInputProps('hasNoExpiry', { type: 'checkbox' })}
      />
    </div>
  );
}

export function DescriptionField({ form, markOf }: FieldsProps) {
  return (
    <Textarea
      label={t`Description`}
      placeholder={t`What you get, and where you can use it`}
      {...markOf?.('description')}
      required
      rows={4}
      resize="vertical"
      maxLength={DESCRIPTION_MAX}
      {...form.getInputProps('description')}
    />
  );
}

export function TermsField({ form, markOf }: FieldsProps) {
  return (
    <Textarea
      label={t`Terms`}
      description={t`Optional. Minimum spend, exclusions, where it is valid`}
      {...markOf?.('terms')}
      rows={3}
      resize="vertical"
      maxLength={TERMS_MAX}
      {...form.getInputProps('terms')}
    />
  );
}

/** The asking price and the lowest price. */
function PriceFields({ form }: FieldsProps) {
  const looks = { ...AMOUNT_FIELD, ...CURRENCY_SIGN, maxLength: 12 };
  return (
    <div className={classes.pair}>
      <TextInput
        label={t`Asking price (${{ currency: baseCurrency() }})`}
        description={t`Optional. We accept bids at or above this price right away`}
        {...looks}
        {...form.getInputProps('askingPrice')}
      />
      <TextInput
        label={t`Lowest price (${{ currency: baseCurrency() }})`}
        description={t`Optional. We do not tell you about lower bids. Only you can see it`}
        {...looks}
        {...form.getInputProps('priceFloor')}
      />
    </div>
  );
}

/** The countries where the coupon is valid, and whether it may be passed on. */
function LimitFields({ form }: FieldsProps) {
  const typeId = useId();
  return (
    <>
      <MultiSelect
        label={t`Valid in`}
        description={t`Optional. Leave empty if you can use it anywhere`}
        placeholder={form.values.regions.length > 0 ? undefined : t`Anywhere`}
        data={COUNTRY_CHOICES}
        searchable
        clearable
        hidePickedOptions
        limit={50}
        nothingFoundMessage={t`No country with that name`}
        {...form.getInputProps('regions')}
      />
      <Input.Wrapper
        label={t({ context: 'coupon', message: 'Transferable' })}
        labelElement="div"
        labelProps={{ id: typeId }}
        description={t`Some merchants accept a coupon only from the person it was issued to`}
      >
        <SegmentedControl
          fullWidth
          mt={6}
          aria-labelledby={typeId}
          data={TRANSFERABLE.map((value) => ({ value, label: TRANSFERABLE_NAMES[value] }))}
          {...form.getInputProps('transferable')}
        />
      </Input.Wrapper>
      {form.values.transferable === 'no' && (
        <NotTransferableNote>
          <Trans>
            Others see this before they ask for the coupon. Buyers who cannot use it can claim their money
            back.
          </Trans>
        </NotTransferableNote>
      )}
      <Switch
        label={t`Open to exchanges`}
        description={t`Others can propose exchanges for it, and we include it in matches`}
        {...form.getInputProps('isOpenToOffers', { type: 'checkbox' })}
      />
    </>
  );
}

/** The fields that few people fill in. */
const RARE = [
  'pin',
  'askingPrice',
  'priceFloor',
  'regions',
  'transferable',
  'isOpenToOffers',
  'terms',
] as const;

/** The fields after the code, none of which is required; shown on a press, and where one has a value or an error. */
export function OptionalFields({ form, markOf }: FieldsProps) {
  const [isPressed, setIsPressed] = useState<boolean | null>(null);
  const panelId = useId();
  const isFilled = RARE.some((field) => String(form.values[field]) !== String(EMPTY_COUPON[field]));
  const hasError = RARE.some((field) => field in form.errors);
  const isOpen = hasError || (isPressed ?? isFilled);
  return (
    <div>
      <Button
        variant="subtle"
        px={8}
        aria-expanded={isOpen}
        aria-controls={panelId}
        rightSection={<IconChevronDown size={18} aria-hidden="true" className={classes.chevron} />}
        onClick={() => setIsPressed(!isOpen)}
      >
        <Trans>More: PIN, price, countries, terms</Trans>
      </Button>
      <Collapse expanded={isOpen} id={panelId}>
        <div className={classes.rare}>
          <TextInput
            label={t`PIN`}
            description={t`Optional. Some shops ask for it beside the code of a gift card. We keep it as secret as the code`}
            maxLength={PIN_MAX}
            {...EXACT_FIELD}
            {...form.getInputProps('pin')}
          />
          <PriceFields form={form} />
          <LimitFields form={form} />
          <TermsField form={form} markOf={markOf} />
        </div>
      </Collapse>
    </div>
  );
}
