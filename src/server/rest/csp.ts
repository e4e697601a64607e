import type { PaymentClient } from '#contract/payments.ts';

/** What the providers' scripts ask for (their own security guides); the sandboxes live at our own address. */
const STRIPE = {
  script: ['https://*.js.stripe.com', 'https://js.stripe.com'],
  frame: ['https://*.js.stripe.com', 'https://js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: ['https://*.stripe.com'],
};
const PAYPAL = {
  script: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
  frame: ['https://*.paypal.com'],
  connect: ['https://*.paypal.com'],
  image: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
};

/**
 * What a page of ours may load: itself, what the payment providers that are set up need, and nothing inline but
 * what carries the nonce of this very answer.
 * @param nonce random, made for one answer
 */
export function contentSecurityPolicy({ stripe, paypal }: PaymentClient, nonce?: string): string {
  const own = nonce ? [`'self'`, `'nonce-${nonce}'`] : [`'self'`];
  const guests = [
    ...(stripe && stripe.scriptUrl === null ? [STRIPE] : []),
    ...(paypal && paypal.sdkBaseUrl === null ? [PAYPAL] : []),
  ];
  const list = (name: string, first: readonly string[], kind: keyof typeof STRIPE) =>
    [name, ...first, ...guests.flatMap((guest) => guest[kind])].join(' ');
  return [
    "default-src 'self'",
    // Reading codes off the camera's picture takes WebAssembly; no script is made of text by this.
    list('script-src', [...own, "'wasm-unsafe-eval'"], 'script'),
    list('frame-src', [`'self'`], 'frame'),
    list('connect-src', [`'self'`], 'connect'),
    list('img-src', [`'self'`, 'data:'], 'image'),
    `style-src ${own.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
