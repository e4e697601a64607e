/**
 * Replaces Stripe.js. Has the parts of `window.Stripe` that our pages and Stripe's React components use. Its requests
 * go to the folder from which it was loaded. Real cards must not be typed here.
 */
import type { Appearance, PaymentIntent, StripeError } from '@stripe/stripe-js';
import { ask, ownScript } from './dom.ts';
import { askTheBank, type CardForm, createCardForm } from './stripe-form.ts';

const base = new URL('.', ownScript().src).href;

/** The answer of every call of Stripe.js. */
type Answer =
  | { readonly paymentIntent: PaymentIntent; readonly error?: undefined }
  | { readonly error: StripeError; readonly paymentIntent?: undefined };

async function call(path: string, body?: object): Promise<Answer> {
  try {
    const { json } = await ask(base, path, body);
    if (typeof json !== 'object' || json === null) throw new Error('No answer');
    // The sandbox's answers: tsc has checked their types there.
    return 'error' in json ? { error: json.error as StripeError } : { paymentIntent: json as PaymentIntent };
  } catch {
    return { error: { type: 'api_connection_error', message: 'The test payment system did not answer.' } };
  }
}

const pathOf = (clientSecret: string) =>
  `payment_intents/${encodeURIComponent(clientSecret.split('_secret_')[0] ?? '')}`;

const retrieve = (clientSecret: string) =>
  call(`${pathOf(clientSecret)}?client_secret=${encodeURIComponent(clientSecret)}`);

/** Asks the buyer for the bank's confirmation if the payment needs it. */
async function authenticate(clientSecret: string, answer: Answer): Promise<Answer> {
  if (answer.error || answer.paymentIntent.status !== 'requires_action') return answer;
  const outcome = await askTheBank();
  const after = await call(`${pathOf(clientSecret)}/challenge`, { client_secret: clientSecret, outcome });
  if (after.error || after.paymentIntent.status !== 'requires_payment_method') return after;
  return {
    error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      ...after.paymentIntent.last_payment_error,
      payment_intent: after.paymentIntent,
    },
  };
}

interface State {
  readonly clientSecret: string;
  appearance: Appearance | undefined;
  form: CardForm | null;
}

/** The private state of each Elements object. */
const states = new WeakMap<object, State>();

interface ElementsOptions {
  readonly clientSecret?: string;
  readonly appearance?: Appearance;
}

function createElements({ clientSecret = '', appearance }: ElementsOptions = {}) {
  const state: State = { clientSecret, appearance, form: null };
  const elements = {
    create() {
      state.form = createCardForm(state.appearance);
      return state.form.element;
    },
    getElement: () => state.form?.element ?? null,
    update(options: ElementsOptions) {
      state.appearance = options.appearance ?? state.appearance;
      state.form?.paint(state.appearance);
    },
    async fetchUpdates() {
      const { error } = await retrieve(clientSecret);
      return error ? { error } : {};
    },
    async submit() {
      const error = state.form?.check();
      return error ? { error } : { selectedPaymentMethod: 'card' };
    },
    on: () => elements,
    off: () => elements,
  };
  states.set(elements, state);
  return elements;
}

interface Confirmation {
  readonly elements: object;
  readonly clientSecret?: string;
  readonly confirmParams: { readonly return_url: string };
  readonly redirect?: 'if_required' | 'always';
}

async function confirmPayment({ elements, clientSecret: given, confirmParams, redirect }: Confirmation) {
  const state = states.get(elements);
  const clientSecret = state?.clientSecret || (given ?? '');
  const error = state?.form?.check();
  if (error) return { error };
  const sent = { client_secret: clientSecret, card: state?.form?.card() };
  const answer = await authenticate(clientSecret, await call(`${pathOf(clientSecret)}/confirm`, sent));
  if (answer.error || redirect === 'if_required') return answer;
  const target = new URL(confirmParams.return_url);
  target.searchParams.set('payment_intent', answer.paymentIntent.id);
  target.searchParams.set('payment_intent_client_secret', clientSecret);
  target.searchParams.set('redirect_status', 'succeeded');
  location.assign(target);
  return new Promise<never>(() => {});
}

async function notHere() {
  return { error: { type: 'invalid_request_error', message: 'The test payment system does not do this.' } };
}

const createStripe = () => ({
  elements: createElements,
  confirmPayment,
  retrievePaymentIntent: retrieve,
  handleNextAction: async ({ clientSecret }: { clientSecret: string }) =>
    authenticate(clientSecret, await retrieve(clientSecret)),
  createToken: notHere,
  createPaymentMethod: notHere,
  confirmCardPayment: notHere,
  registerAppInfo: () => {},
  _registerWrapper: () => {},
});

Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'endive' }) });
