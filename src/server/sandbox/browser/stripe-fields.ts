import type { Appearance } from '@stripe/stripe-js';
import { make, style } from './dom.ts';

export type CardColors = NonNullable<Appearance['variables']>;
/** In Stripe's words. */
type Problem = readonly [code: string, message: string];

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Luhn's check digit, in which every card number ends. */
function isCardNumber(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return digits.length >= 12 && digits.length <= 19 && sum % 10 === 0;
}

function groupsOfFour(text: string): string {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');
}

function monthAndYear(text: string): string {
  const digits = digitsOf(text)
    .replace(/^([2-9])/, '0$1')
    .slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2)}` : digits;
}

export function expiryOf(text: string): { month: number; year: number } {
  const digits = digitsOf(text);
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) };
}

function numberProblem(text: string): Problem | null {
  const digits = digitsOf(text);
  if (digits.length < 12) return ['incomplete_number', 'Your card number is incomplete.'];
  return isCardNumber(digits) ? null : ['invalid_number', 'Your card number is invalid.'];
}

function expiryProblem(text: string): Problem | null {
  if (digitsOf(text).length < 4) return ['incomplete_expiry', "Your card's expiration date is incomplete."];
  const { month, year } = expiryOf(text);
  if (month < 1 || month > 12) return ['invalid_expiry_month', "Your card's expiration date is invalid."];
  const now = new Date();
  const isPast = year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
  return isPast ? ['invalid_expiry_year_past', "Your card's expiration year is in the past."] : null;
}

function cvcProblem(text: string): Problem | null {
  return digitsOf(text).length < 3 ? ['incomplete_cvc', "Your card's security code is incomplete."] : null;
}

const FIELDS = {
  number: {
    label: 'Card number',
    autocomplete: 'cc-number',
    format: groupsOfFour,
    problemOf: numberProblem,
  },
  expiry: {
    label: 'Expiration (MM / YY)',
    autocomplete: 'cc-exp',
    format: monthAndYear,
    problemOf: expiryProblem,
  },
  cvc: {
    label: 'Security code',
    autocomplete: 'cc-csc',
    format: (text: string) => digitsOf(text).slice(0, 4),
    problemOf: cvcProblem,
  },
};

export interface CardField {
  readonly node: HTMLElement;
  readonly input: HTMLInputElement;
  /** Shows what is wrong with it, and answers that. */
  check(): Problem | null;
  isComplete(): boolean;
  paint(colors: CardColors): void;
}

let made = 0;

/** One labelled field with room for its complaint. */
export function cardField(name: keyof typeof FIELDS, onInput: () => void): CardField {
  const { label, autocomplete, format, problemOf } = FIELDS[name];
  made += 1;
  const id = `sandbox-card-${name}-${made}`;
  const input = make('input', {
    id,
    autocomplete,
    inputmode: 'numeric',
    'aria-describedby': `${id}-error`,
  });
  const title = make('label', { for: id }, label);
  const complaint = make('p', { id: `${id}-error`, 'aria-live': 'polite' });
  const node = make('div', {}, title, input, complaint);
  const complain = (problem: Problem | null) => {
    complaint.textContent = problem ? problem[1] : '';
    if (problem) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  input.addEventListener('input', () => {
    // Not while something is deleted: the separator that was just removed would come back.
    if (input.selectionStart === input.value.length) input.value = format(input.value);
    if (!problemOf(input.value)) complain(null);
    onInput();
  });
  input.addEventListener('blur', () => input.value && complain(problemOf(input.value)));
  return {
    node,
    input,
    check() {
      const problem = problemOf(input.value);
      complain(problem);
      return problem;
    },
    isComplete: () => !problemOf(input.value),
    paint(colors) {
      style(node, { minWidth: '0' });
      style(title, { display: 'block', marginBottom: '4px', fontWeight: '600', fontSize: '0.875rem' });
      style(input, { boxSizing: 'border-box', width: '100%', minHeight: '44px', padding: '8px 12px' });
      style(input, { font: 'inherit', fontSize: '16px', fontVariantNumeric: 'tabular-nums' });
      style(input, { color: colors.colorText, background: colors.colorBackground });
      style(input, { border: `1px solid ${colors.colorTextSecondary}`, borderRadius: colors.borderRadius });
      style(complaint, { color: colors.colorDanger, margin: '4px 0 0', minHeight: '1.25em' });
      style(complaint, { fontSize: '0.875rem', lineHeight: '1.25' });
    },
  };
}
