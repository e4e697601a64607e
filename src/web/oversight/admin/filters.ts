import { keyed, oneOf, type Param, searchText } from '#contract/base/address.ts';
import { DENIAL_KINDS } from '#contract/base/errors.ts';
import { daySchema } from '#contract/base/primitives.ts';
import { PAYMENT_ISSUE_KINDS } from '#contract/money/payment-issues.ts';
import { PAYMENT_STATUSES } from '#contract/money/payments.ts';
import { userStatusSchema } from '#contract/people/accounts.ts';
import { USER_ROLES } from '#contract/people/roles.ts';

const day: Param<string> = {
  usual: '',
  read: (text) => daySchema.safeParse(text).data,
  write: (text) => text,
};

/** A word that the table on screen understands, or takes for none. */
const word: Param<string> = { usual: '', read: (text) => text, write: (text) => text };

/** The filters and the order of the dashboard's tables in the address. */
export const TABLE_PARAMS = {
  paid: oneOf([null, ...PAYMENT_STATUSES]),
  issue: oneOf([null, ...PAYMENT_ISSUE_KINDS]),
  search: keyed('q', searchText()),
  status: oneOf([null, ...userStatusSchema.options]),
  role: oneOf([null, ...USER_ROLES]),
  person: searchText(),
  action: word,
  denial: oneOf([null, ...DENIAL_KINDS]),
  from: day,
  to: day,
  sort: word,
};

/** What the tables are narrowed down to. */
export type TableFilters = {
  readonly [Name in keyof typeof TABLE_PARAMS]: (typeof TABLE_PARAMS)[Name]['usual'];
};

/** The filters of a newly opened table. */
export const NO_FILTERS: TableFilters = {
  paid: null,
  issue: null,
  search: '',
  status: null,
  role: null,
  person: '',
  action: '',
  denial: null,
  from: '',
  to: '',
  sort: '',
};

/** What each table gets: its filters, and what changes them. */
export interface Filtering {
  readonly filters: TableFilters;
  readonly onFilter: (change: Partial<TableFilters>) => void;
}

/** The choices of a filter, the first of which is none. */
export function choices<Value extends string>(
  any: string,
  values: readonly Value[],
  wordOf: (value: Value) => string,
): { value: Value | ''; label: string }[] {
  return [{ value: '', label: any }, ...values.map((value) => ({ value, label: wordOf(value) }))];
}
