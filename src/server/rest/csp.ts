import type { PaymentClient } from '#contract/money/payments.ts';

/** The hosts that each provider's security guide asks for; the sandboxes are served from our own address. */
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

/** The providers whose scripts come from their own servers. */
function liveProviders({ stripe, paypal }: Pick<PaymentClient, 'stripe' | 'paypal'>) {
  return [
    ...(stripe && stripe.scriptUrl === null ? [STRIPE] : []),
    ...(paypal && paypal.sdkBaseUrl === null ? [PAYPAL] : []),
  ];
}

/**
 * The features of the browser that pages may use: passkeys, the camera that scans codes, and payment. The frames of
 * the payment providers may use what a bank asks for.
 */
export function permissionsPolicy(client: PaymentClient): string {
  const frames = liveProviders(client).flatMap(({ frame }) => frame.map((host) => `"${host}"`));
  const shared = ['self', ...frames].join(' ');
  return [
    `publickey-credentials-get=(${shared})`,
    'publickey-credentials-create=(self)',
    `payment=(${shared})`,
    'camera=(self)',
    'geolocation=()',
    'microphone=()',
    'usb=()',
  ].join(', ');
}

/**
 * Allows a page to load only our own resources, those of the payment providers that are set up, and inline
 * elements that carry the nonce of this response.
 * @param nonce random, made for one response
 */
export function contentSecurityPolicy({ stripe, paypal }: PaymentClient, nonce?: string): string {
  const own = nonce ? [`'self'`, `'nonce-${nonce}'`] : [`'self'`];
  const providers = liveProviders({ stripe, paypal });
  const list = (name: string, first: readonly string[], kind: keyof typeof STRIPE) =>
    [name, ...first, ...providers.flatMap((provider) => provider[kind])].join(' ');
  return [
    "default-src 'self'",
    // The camera scanner runs WebAssembly; this source does not allow `eval` of JavaScript.
    list('script-src', [...own, "'wasm-unsafe-eval'"], 'script'),
    list('frame-src', [`'self'`], 'frame'),
    list('connect-src', [`'self'`], 'connect'),
    list('img-src', [`'self'`, 'data:'], 'image'),
    `style-src ${own.join(' ')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
