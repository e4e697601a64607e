import type { Appearance } from '@stripe/stripe-js';
import { make, style } from './dom.ts';
import { type CardColors, cardField, digitsOf, expiryOf } from './stripe-fields.ts';

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

/** The card form, where Stripe would draw a frame of its own. */
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
      // Later, as with Stripe's own frame: listeners are added only after mounting.
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
    /** Marks every wrong field and focuses the first. @returns Stripe's error, or null */
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
