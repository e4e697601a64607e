import type { Appearance } from '@stripe/stripe-js';
import { hasCheckDigit } from '#sandbox/stripe/cards.ts';
import { make, style } from './dom.ts';

const DEFAULT_COLORS: CardColors = {
  colorText: 'inherit',
  colorTextSecondary: 'currentcolor',
  colorBackground: 'transparent',
  colorDanger: '#b42318',
  borderRadius: '8px',
  fontFamily: 'inherit',
};

type Handler = (detail: unknown) => void;

export type CardForm = ReturnType<typeof createCardForm>;

/** The card form, in place of Stripe's frame. */
export function createCardForm(appearance: Appearance | undefined) {
  const handlers = new Map<string, Set<Handler>>();
  const fire = (event: string, detail: unknown) => {
    for (const handler of [...(handlers.get(event) ?? [])]) handler(detail);
  };
  const changed = () =>
    fire('change', {
      elementType: 'payment',
      complete: all.every((field) => field.isComplete()),
      empty: all.every(({ input }) => input.value === ''),
      collapsed: false,
      value: { type: 'card' },
    });
  const number = cardField('number', changed);
  const expiry = cardField('expiry', changed);
  const cvc = cardField('cvc', changed);
  const all = [number, expiry, cvc];

  style(number.node, { gridColumn: '1 / -1' });
  const root = make('div', {}, ...all.map(({ node }) => node));
  style(root, { display: 'grid', gridTemplateColumns: '1fr 1fr', gap: '8px 12px' });
  const paint = (next: Appearance | undefined) => {
    const colors = { ...DEFAULT_COLORS, ...next?.variables };
    style(root, { color: colors.colorText, fontFamily: colors.fontFamily });
    for (const field of all) field.paint(colors);
  };
  paint(appearance);

  const element = {
    on(event: string, handler: Handler) {
      handlers.set(event, (handlers.get(event) ?? new Set()).add(handler));
      return element;
    },
    off(event: string, handler: Handler) {
      handlers.get(event)?.delete(handler);
      return element;
    },
    mount(place: string | HTMLElement) {
      const target = typeof place === 'string' ? document.querySelector(place) : place;
      target?.replaceChildren(root);
      // Later, as with Stripe's frame: callers add their listeners after mounting.
      setTimeout(() => root.isConnected && fire('ready', { elementType: 'payment' }));
    },
    unmount: () => root.remove(),
    destroy: () => root.remove(),
    update: () => {},
    focus: () => number.input.focus(),
  };

  return {
    element,
    paint,
    /** Marks the wrong fields and focuses the first. @returns Stripe's error, or null */
    check() {
      const found = all.map((field) => ({ field, problem: field.check() })).find(({ problem }) => problem);
      if (!found?.problem) return null;
      found.field.input.focus();
      const [code, message] = found.problem;
      return { type: 'validation_error', code, message } as const;
    },
    card() {
      const { month, year } = expiryOf(expiry.input.value);
      return {
        number: digitsOf(number.input.value),
        exp_month: month,
        exp_year: year,
        cvc: digitsOf(cvc.input.value),
      };
    },
  };
}

type CardColors = NonNullable<Appearance['variables']>;
/** In Stripe's words. */
type Problem = readonly [code: string, message: string];

const digitsOf = (text: string) => text.replace(/\D/g, '');

const isCardNumber = (digits: string) => /^\d{12,19}$/.test(digits) && hasCheckDigit(digits);

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

function expiryOf(text: string): { month: number; year: number } {
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
  /** Shows and returns the problem. */
  check(): Problem | null;
  isComplete(): boolean;
  paint(colors: CardColors): void;
}

let made = 0;

/** A labelled field with room for an error message. */
function cardField(name: keyof typeof FIELDS, onInput: () => void): CardField {
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
    // Not after a deletion, which would bring the removed separator back.
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

/** Shows the bank's page as a dialog. Closing it fails, as at a bank. */
export function askTheBank(): Promise<'pass' | 'fail'> {
  return new Promise((resolve) => {
    const page = getComputedStyle(document.body);
    const [ground, ink] = [page.backgroundColor, page.color];
    const button = (text: string, outcome: 'pass' | 'fail', colors: Partial<CSSStyleDeclaration>) => {
      const node = make('button', { type: 'button' }, text);
      style(node, { minHeight: '44px', padding: '0 20px', borderRadius: '22px', cursor: 'pointer' });
      style(node, { border: `1px solid ${ink}`, font: 'inherit', fontWeight: '600', ...colors });
      node.addEventListener('click', () => dialog.close(outcome));
      return node;
    };
    const title = make('h2', { id: 'sandbox-bank-title' }, 'Test bank: 3-D Secure');
    const text = make(
      'p',
      { id: 'sandbox-bank-text' },
      'A real bank would now ask you to confirm this payment.',
    );
    const buttons = make(
      'div',
      {},
      button('Complete authentication', 'pass', { background: ink, color: ground }),
      button('Fail authentication', 'fail', { background: 'transparent', color: ink }),
    );
    const dialog = make(
      'dialog',
      { 'aria-labelledby': title.id, 'aria-describedby': text.id },
      style(title, { margin: '0 0 8px' }),
      style(text, { margin: '0 0 20px' }),
      style(buttons, { display: 'flex', flexWrap: 'wrap', gap: '12px' }),
    );
    style(dialog, { maxWidth: '26rem', padding: '24px', borderRadius: '16px', border: `1px solid ${ink}` });
    style(dialog, { background: ground, color: ink, fontFamily: page.fontFamily, margin: 'auto' });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'pass' ? 'pass' : 'fail');
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
