// @vitest-environment happy-dom
import type { Stripe, StripeElements, StripePaymentElement } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';
import { bundleScript } from '../hosted-pages.ts';

const SECRET = 'pi_1_secret_abc';
const BASE = 'http://localhost:3000/sandbox/stripe/browser/';

interface Call {
  readonly url: string;
  readonly body: unknown;
}

let calls: Call[];
/** What the sandbox says, in order. */
let answers: unknown[];
let stripe: Stripe;
let elements: StripeElements;
let element: StripePaymentElement;

beforeEach(async () => {
  calls = [];
  answers = [];
  document.body.innerHTML = '<div id="place"></div>';
  vi.stubGlobal('fetch', async (url: string, options: { body?: string }) => {
    calls.push({ url: String(url), body: options.body === undefined ? null : JSON.parse(options.body) });
    return Response.json(answers.shift());
  });
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(
    Object.assign(document.createElement('script'), { src: `${BASE}stripe.js` }),
  );
  new Function(await bundleScript('stripe.ts'))();
  const loaded = await loadStripe('pk_test_sandbox');
  if (!loaded) throw new Error('There is no window');
  stripe = loaded;
  elements = stripe.elements({ clientSecret: SECRET });
  element = elements.create('payment');
  element.mount('#place');
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function type(label: string, text: string): HTMLInputElement {
  const input = fieldOf(label);
  input.value = text;
  input.setSelectionRange(text.length, text.length);
  input.dispatchEvent(new Event('input'));
  return input;
}

function fieldOf(label: string): HTMLInputElement {
  const title = [...document.querySelectorAll('label')].find(({ textContent }) =>
    textContent?.startsWith(label),
  );
  const input = document.getElementById(title?.htmlFor ?? '');
  if (!(input instanceof HTMLInputElement)) throw new Error(`No field ${label}`);
  return input;
}

function complaintOf(input: HTMLInputElement): string {
  return document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent ?? '';
}

function fill(number = '4242424242424242'): void {
  type('Card number', number);
  type('Expiration', '1299');
  type('Security code', '123');
}

function confirm() {
  return stripe.confirmPayment({
    elements,
    redirect: 'if_required',
    confirmParams: { return_url: 'http://localhost:3000/payment-complete' },
  });
}

async function bankSays(name: string): Promise<void> {
  const button = await vi.waitUntil(
    () => [...document.querySelectorAll('dialog button')].find(({ textContent }) => textContent === name),
    WAIT_MS,
  );
  if (button instanceof HTMLButtonElement) button.click();
}

it('has the version that the loader of Stripe expects', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await loadStripe('pk_test_sandbox');
  expect(warn).not.toHaveBeenCalled();
});

it('fires ready after mount() has returned', async () => {
  const ready = vi.fn();
  element.on('ready', ready);
  expect(ready).not.toHaveBeenCalled();
  await expect.poll(() => ready.mock.calls.length).toBe(1);
});

describe('the form', () => {
  it('formats the input as on a card', () => {
    expect(type('Card number', '4242424242424242').value).toBe('4242 4242 4242 4242');
    expect(type('Expiration', '5').value).toBe('05');
    expect(type('Expiration', '1230').value).toBe('12 / 30');
    expect(type('Security code', '12a345').value).toBe('1234');
  });

  it('reports when it is complete', () => {
    const changes: boolean[] = [];
    element.on('change', ({ complete }) => changes.push(complete));
    fill();
    expect(changes).toEqual([false, false, true]);
  });

  it.each([
    ['Card number', '4242', 'incomplete_number', 'Your card number is incomplete.'],
    ['Card number', '4242424242424241', 'invalid_number', 'Your card number is invalid.'],
    ['Expiration', '12', 'incomplete_expiry', "Your card's expiration date is incomplete."],
    ['Expiration', '1320', 'invalid_expiry_month', "Your card's expiration date is invalid."],
    ['Expiration', '1220', 'invalid_expiry_year_past', "Your card's expiration year is in the past."],
    ['Security code', '12', 'incomplete_cvc', "Your card's security code is incomplete."],
  ])('refuses %s “%s” before anything is sent', async (label, text, code, message) => {
    fill();
    const input = type(label, text);
    const { error } = await elements.submit();
    expect(error).toMatchObject({ type: 'validation_error', code, message });
    expect(complaintOf(input)).toBe(message);
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect((await confirm()).error?.code).toBe(code);
    expect(calls).toEqual([]);
  });

  it('takes the colours of the page, also when they change', () => {
    elements.update({ appearance: { variables: { colorBackground: 'rgb(1, 2, 3)' } } });
    expect(fieldOf('Card number').style.background).toContain('rgb(1, 2, 3)');
  });
});

describe('a payment', () => {
  it('is confirmed by a request to the folder of the script', async () => {
    answers = [{ id: 'pi_1', status: 'succeeded' }];
    fill();
    expect((await confirm()).paymentIntent?.status).toBe('succeeded');
    expect(calls).toEqual([
      {
        url: `${BASE}payment_intents/pi_1/confirm`,
        body: {
          client_secret: SECRET,
          card: { number: '4242424242424242', exp_month: 12, exp_year: 2099, cvc: '123' },
        },
      },
    ]);
  });

  it('that is declined returns the reason', async () => {
    const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
    answers = [{ error }];
    fill('4000000000000002');
    expect((await confirm()).error).toEqual(error);
  });

  it('without an answer from the sandbox returns an error', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    fill();
    expect((await confirm()).error?.type).toBe('api_connection_error');
  });

  it('is read with its client secret', async () => {
    answers = [{ id: 'pi_1', status: 'processing' }];
    expect((await stripe.retrievePaymentIntent(SECRET)).paymentIntent?.status).toBe('processing');
    expect(calls[0]?.url).toBe(`${BASE}payment_intents/pi_1?client_secret=${SECRET}`);
  });
});

describe("the bank's confirmation", () => {
  const waiting = { id: 'pi_1', status: 'requires_action' };

  it('completes the payment', async () => {
    answers = [waiting, { id: 'pi_1', status: 'succeeded' }];
    fill();
    const confirming = confirm();
    await bankSays('Complete authentication');
    expect((await confirming).paymentIntent?.status).toBe('succeeded');
    expect(calls[1]).toEqual({
      url: `${BASE}payment_intents/pi_1/challenge`,
      body: { client_secret: SECRET, outcome: 'pass' },
    });
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('refused fails the payment', async () => {
    answers = [waiting, { id: 'pi_1', status: 'requires_payment_method', last_payment_error: null }];
    fill();
    const confirming = confirm();
    await bankSays('Fail authentication');
    const { error } = await confirming;
    expect(error?.code).toBe('payment_intent_authentication_failure');
    expect(error?.payment_intent?.status).toBe('requires_payment_method');
    expect(calls[1]?.body).toMatchObject({ outcome: 'fail' });
  });

  it('is asked for a kept card too', async () => {
    answers = [waiting, { id: 'pi_1', status: 'succeeded' }];
    const next = stripe.handleNextAction({ clientSecret: SECRET });
    await bankSays('Complete authentication');
    expect((await next).paymentIntent?.status).toBe('succeeded');
  });
});
