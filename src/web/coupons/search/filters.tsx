import { ph, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Chip, Group, Stack, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { amountText, baseCurrency, type Cents } from '#contract/base/money.ts';
import { type Filters, type FilterValues, NO_FILTERS } from '#contract/coupons/coupon-filters.ts';
import { MERCHANT_MAX } from '#contract/coupons/limits.ts';
import { EXPIRY_CHOICES } from '#contract/coupons/sorts.ts';
import { lazyWithPreload } from '#web/components/on-demand.tsx';
import { OFFERED_CATEGORIES } from '#web/coupons/core/categories.ts';
import { CATEGORY_NAMES } from '#web/coupons/core/wording.ts';
import type { ChangeAddress } from '#web/lib/address.ts';
import { AMOUNT_FIELD } from '#web/lib/keyboards.ts';
import { asTyped, typedCents } from '#web/lib/typed-amount.ts';
import { useDraft } from '#web/lib/use-draft.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import { activeFilters, BUY_NOW, CONFIRMED_LATELY, EXPIRY_NAMES } from './active-filters.ts';
import classes from './coupon-list.module.css';

interface FieldProps {
  readonly filters: FilterValues;
  readonly onChange: ChangeAddress<FilterValues>;
}

const VisitorCountry = lazyWithPreload(async () => (await import('./visitor-country.tsx')).VisitorCountry);

interface FilterPanelProps {
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
}

/** The filters of a list of coupons. Each change takes effect at once. */
export function FilterPanel({ filters, onChange }: FilterPanelProps) {
  const { user, isLoading } = useViewer();
  // A country only orders what is searched, and a member has one in the settings.
  const isCountryUsed = !user && !isLoading && filters.search !== '';
  return (
    <Stack gap="lg">
      <FilterFields filters={filters} onChange={onChange} />
      <Button
        variant="default"
        disabled={activeFilters(filters).length === 0}
        onClick={() => onChange({ ...NO_FILTERS, search: filters.search })}
      >
        <Trans>Reset</Trans>
      </Button>
      {/* Last, and in a place of its height: it comes late, and moves nothing. */}
      {isCountryUsed && (
        <div className={classes.country}>
          <VisitorCountry />
        </div>
      )}
    </Stack>
  );
}

const CHECKED_DAYS = 30;

/** The fields alone, for a form. */
export function FilterFields({ filters, onChange }: FieldProps) {
  return (
    <>
      <Choice
        legend={t`Category`}
        value={filters.category}
        choices={[null, ...OFFERED_CATEGORIES]}
        nameOf={(category) => (category === null ? t`All` : CATEGORY_NAMES[category])}
        onChange={(category) => onChange({ category })}
      />
      <ValueRange filters={filters} onChange={onChange} />
      <MerchantField filters={filters} onChange={onChange} />
      <Choice
        legend={t`Expires`}
        value={filters.expiryDays}
        choices={EXPIRY_CHOICES}
        nameOf={(days) => EXPIRY_NAMES[`${days}`]}
        onChange={(expiryDays) => onChange({ expiryDays })}
      />
      <Group gap={8}>
        <Chip
          {...CHIP}
          checked={filters.hasAskingPrice !== null}
          onChange={(isOn) => onChange({ hasAskingPrice: isOn || null })}
        >
          {BUY_NOW}
        </Chip>
        <Chip
          {...CHIP}
          checked={filters.checkedDays !== null}
          onChange={(isOn) => onChange({ checkedDays: isOn ? CHECKED_DAYS : null })}
        >
          {CONFIRMED_LATELY}
        </Chip>
      </Group>
    </>
  );
}

const CHIP = {
  size: 'sm',
  variant: 'outline',
  color: 'var(--mantine-color-text)',
  classNames: { label: classes.chip },
} as const;

interface ChoiceProps<Value> {
  readonly legend: string;
  readonly value: Value;
  readonly choices: readonly Value[];
  readonly nameOf: (value: Value) => string;
  readonly onChange: (value: Value) => void;
}

/** Chips; one of them is selected. */
function Choice<Value>({ legend, value, choices, nameOf, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className={classes.legend}>{legend}</legend>
      <Group gap={8}>
        {choices.map((choice) => (
          <Chip
            key={nameOf(choice)}
            {...CHIP}
            type="radio"
            name={name}
            checked={choice === value}
            onChange={() => onChange(choice)}
          >
            {nameOf(choice)}
          </Chip>
        ))}
      </Group>
    </fieldset>
  );
}

function ValueRange({ filters: { minValue, maxValue }, onChange }: FieldProps) {
  return (
    <fieldset>
      <legend className={classes.legend}>
        <Trans>Value in {ph({ currency: baseCurrency() })}</Trans>
      </legend>
      <div className={classes.range}>
        <AmountField
          label={t`Min value`}
          value={minValue}
          refuse={(cents) => (maxValue !== null && cents > maxValue ? t`Above the max value` : null)}
          onCommit={(cents, options) => onChange({ minValue: cents }, options)}
        />
        <AmountField
          label={t`Max value`}
          value={maxValue}
          refuse={(cents) => (minValue !== null && cents < minValue ? t`Below the min value` : null)}
          onCommit={(cents, options) => onChange({ maxValue: cents }, options)}
        />
      </div>
      <p className={classes.hint}>
        <Trans>Percentage coupons are not included.</Trans>
      </p>
    </fieldset>
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly value: Cents | null;
  /** The error of an amount that contradicts the other bound, or null. */
  readonly refuse: (cents: Cents) => string | null;
  readonly onCommit: (cents: Cents | null, options: { replace: boolean }) => void;
}

function AmountField({ label, value, refuse, onCommit }: AmountFieldProps) {
  const errorOf = (text: string): string | null => {
    if (text.trim() === '') return null;
    if (/^\s*-/.test(text)) return t`Must be 0 or more`;
    const typed = typedCents(text);
    if (typed === null) return t`Enter an amount such as 10 or 9.50`;
    return refuse(typed);
  };
  const field = useDraft({
    value: value === null ? '' : asTyped(amountText(value)),
    normalise: (text) => {
      if (errorOf(text) !== null) return null;
      const cents = typedCents(text);
      return cents === null ? '' : asTyped(amountText(cents));
    },
    onCommit: (text, options) => onCommit(typedCents(text), options),
  });
  // No error while the user is still typing.
  const [isBlurred, setIsBlurred] = useState(false);
  return (
    <TextInput
      label={label}
      {...AMOUNT_FIELD}
      enterKeyHint="search"
      placeholder={t`Any`}
      maxLength={12}
      value={field.draft}
      error={isBlurred ? errorOf(field.draft) : null}
      onChange={(event) => {
        setIsBlurred(false);
        field.type(event.currentTarget.value);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        setIsBlurred(true);
        field.commitNow();
      }}
      onBlur={() => {
        setIsBlurred(true);
        field.onBlur();
      }}
    />
  );
}

function MerchantField({ filters, onChange }: FieldProps) {
  const field = useDraft({
    value: filters.merchant,
    normalise: (text) => text.trim(),
    onCommit: (merchant, options) => onChange({ merchant }, options),
  });
  return (
    <TextInput
      label={t`Merchant`}
      placeholder={t`Any merchant`}
      autoComplete="off"
      enterKeyHint="search"
      maxLength={MERCHANT_MAX}
      classNames={{ label: classes.legend }}
      value={field.draft}
      onChange={(event) => field.type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && field.commitNow()}
      onBlur={field.onBlur}
    />
  );
}
