import type { RestCall } from './table.ts';

/** A call that a program makes first, as the documentation shows it. */
export interface Example {
  /** What it does, for people. */
  readonly title: string;
  readonly method: RestCall['method'];
  /** With a query, and with numbers in the place of ids. */
  readonly path: `/api/${string}`;
  readonly body?: object;
}

/** `docs/api.md` has the same ones. */
export const EXAMPLES: readonly Example[] = [
  { title: 'Whose key it is', method: 'GET', path: '/api/user/key' },
  {
    title: 'Coupons on offer, the ones that expire first at the top',
    method: 'GET',
    path: '/api/coupons?search=coffee&sort=expiry&limit=5',
  },
  {
    title: 'List a coupon worth $4.50',
    method: 'POST',
    path: '/api/coupons',
    body: {
      title: 'Two coffees for one',
      description: 'Valid at every branch, weekdays only.',
      value: 450,
      merchant: 'Corner Coffee',
      category: 'food',
      hasNoExpiry: true,
      codeValue: 'LATTE-2035-XL',
    },
  },
  {
    title: 'Offer $3.50 for coupon 12',
    method: 'POST',
    path: '/api/bids',
    body: { couponId: 12, amount: '3.50', message: 'Still there?' },
  },
  { title: 'The deals that wait for you', method: 'GET', path: '/api/deals?limit=10' },
  { title: 'Accept offer 34', method: 'PUT', path: '/api/bids/34/status', body: { status: 'accepted' } },
  {
    title: 'The code of coupon 12, if it is yours; we record that a program asked for it',
    method: 'POST',
    path: '/api/coupons/12/reveal',
  },
];

/** The example of a call. */
export function exampleOf({ method, path }: RestCall): Example | undefined {
  const pattern = new RegExp(`^${path.replace(/:\w+/g, '\\d+')}(\\?|$)`);
  return EXAMPLES.find((example) => example.method === method && pattern.test(example.path));
}

/** An example as a command of a shell that has the key in CLIPSWAP_KEY. @param site the origin: 'https://…' */
export function curlOf({ method, path, body }: Example, site: string): string {
  return [
    'curl',
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    `-H "Authorization: Bearer $CLIPSWAP_KEY"`,
    ...(body ? [`\\\n  --json '${JSON.stringify(body)}' \\\n `] : []),
    `'${site}${path}'`,
  ].join(' ');
}
