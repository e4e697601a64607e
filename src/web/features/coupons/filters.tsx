import { Button, Chip, Group, Stack, TextInput } from '@mantine/core';
import { type ComponentType, useId, useState } from 'react';
import { CATEGORIES, EXPIRY_CHOICES, MERCHANT_MAX } from '#contract/coupon-facts.ts';
import { type Filters, type FilterValues, NO_FILTERS } from '#contract/coupon-filters.ts';
import { amountText, BASE_CURRENCY, type Cents, formatMoney } from '#contract/money.ts';
import { onDemand, useOnDemand } from '#web/components/on-demand.tsx';
import type { ChangeAddress } from '#web/lib/address.ts';
import { typedCents } from '#web/lib/typed-amount.ts';
import { useDraft } from '#web/lib/use-draft.ts';
import { useViewer } from '#web/lib/viewer.tsx';
import classes from './coupon-list.module.css';
import { CATEGORY_NAMES } from './wording.ts';

const EXPIRY_NAMES: Record<`${FilterValues['expiryDays']}`, string> = {
  null: 'Any time',
  7: 'Next 7 days',
  30: 'Next 30 days',
  90: 'Next 3 months',
  365: 'Next year',
};

const cad = (cents: Cents) => formatMoney(cents, BASE_CURRENCY);

interface FieldProps {
  readonly filters: FilterValues;
  readonly onChange: ChangeAddress<FilterValues>;
}

interface Filter<Value> {
  /** The text of the chip that shows that it is set. */
  readonly chip: (value: NonNullable<Value>) => string;
  /** Its field in the form; without it, the field of the filter before is for both. */
  readonly Field?: ComponentType<FieldProps>;
}

/** The filters in the order of the form and the chips; `contract/coupon-filters.ts` has their names in the address. */
const FILTERS: { readonly [Name in Exclude<keyof FilterValues, 'search'>]: Filter<FilterValues[Name]> } = {
  category: {
    chip: (category) => CATEGORY_NAMES[category],
    Field: ({ filters, onChange }) => (
      <Choice
        legend="Category"
        value={filters.category}
        choices={[null, ...CATEGORIES]}
        nameOf={(category) => (category === null ? 'All' : CATEGORY_NAMES[category])}
        onChange={(category) => onChange({ category })}
      />
    ),
  },
  minValue: { chip: (cents) => `At least ${cad(cents)}`, Field: ValueRange },
  maxValue: { chip: (cents) => `At most ${cad(cents)}` },
  merchant: { chip: (merchant) => `Merchant: ${merchant}`, Field: MerchantField },
  expiryDays: {
    chip: (days) => `Expires: ${EXPIRY_NAMES[days]}`,
    Field: ({ filters, onChange }) => (
      <Choice
        legend="Expires"
        value={filters.expiryDays}
        choices={EXPIRY_CHOICES}
        nameOf={(days) => EXPIRY_NAMES[`${days}`]}
        onChange={(expiryDays) => onChange({ expiryDays })}
      />
    ),
  },
};

type FilterName = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as FilterName[];

function chipOf<Name extends FilterName>(name: Name, filters: FilterValues): string | null {
  const value: FilterValues[Name] = filters[name];
  return value === null || value === undefined || value === '' ? null : FILTERS[name].chip(value);
}

/** One filter that is set: the text of its chip, and the change that takes it off. */
export interface ActiveFilter {
  readonly label: string;
  readonly without: Partial<FilterValues>;
}

/** The filters that are set, without the search. */
export function activeFilters(filters: FilterValues): ActiveFilter[] {
  return NAMES.flatMap((name) => {
    const label = chipOf(name, filters);
    return label === null ? [] : [{ label, without: { [name]: NO_FILTERS[name] } }];
  });
}

const countryOnDemand = onDemand(async () => (await import('./visitor-country.tsx')).VisitorCountry);

interface FilterPanelProps {
  readonly filters: Filters;
  readonly onChange: ChangeAddress<Filters>;
}

/** The filters of a list of coupons. Each change takes effect at once. */
export function FilterPanel({ filters, onChange }: FilterPanelProps) {
  const { user, isLoading } = useViewer();
  // A country only orders what is searched, and a member has one in the settings.
  const isCountryUsed = !user && !isLoading && filters.search !== '';
  const VisitorCountry = useOnDemand(countryOnDemand, isCountryUsed);
  return (
    <Stack gap="lg">
      {isCountryUsed && VisitorCountry && <VisitorCountry />}
      <FilterFields filters={filters} onChange={onChange} />
      <Button
        variant="default"
        disabled={activeFilters(filters).length === 0}
        onClick={() => onChange({ ...NO_FILTERS, search: filters.search })}
      >
        Reset
      </Button>
    </Stack>
  );
}

/** The fields alone, for a form. */
export function FilterFields(props: FieldProps) {
  return NAMES.map((name) => {
    const { Field } = FILTERS[name];
    return Field && <Field key={name} {...props} />;
  });
}

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
            type="radio"
            name={name}
            size="sm"
            variant="outline"
            color="var(--mantine-color-text)"
            checked={choice === value}
            onChange={() => onChange(choice)}
            classNames={{ label: classes.chip }}
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
      <legend className={classes.legend}>Value in CAD</legend>
      <div className={classes.range}>
        <AmountField
          label="Min value"
          value={minValue}
          refuse={(cents) => (maxValue !== null && cents > maxValue ? 'Above the max value' : null)}
          onCommit={(cents, options) => onChange({ minValue: cents }, options)}
        />
        <AmountField
          label="Max value"
          value={maxValue}
          refuse={(cents) => (minValue !== null && cents < minValue ? 'Below the min value' : null)}
          onCommit={(cents, options) => onChange({ maxValue: cents }, options)}
        />
      </div>
      <p className={classes.hint}>Percentage coupons are not included.</p>
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
    if (/^\s*-/.test(text)) return 'Must be 0 or more';
    const typed = typedCents(text);
    if (typed === null) return 'Enter an amount such as 10 or 9.50';
    return refuse(typed);
  };
  const field = useDraft({
    value: value === null ? '' : amountText(value),
    normalise: (text) => {
      if (errorOf(text) !== null) return null;
      const cents = typedCents(text);
      return cents === null ? '' : amountText(cents);
    },
    onCommit: (text, options) => onCommit(typedCents(text), options),
  });
  // No error while the user is still typing.
  const [isBlurred, setIsBlurred] = useState(false);
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      placeholder="Any"
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
      label="Merchant"
      placeholder="Any merchant"
      maxLength={MERCHANT_MAX}
      classNames={{ label: classes.legend }}
      value={field.draft}
      onChange={(event) => field.type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && field.commitNow()}
      onBlur={field.onBlur}
    />
  );
}
