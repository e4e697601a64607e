import { expect, it } from 'vitest';
import { couponPathIn } from './first-answers.ts';

// What comes out is mailed to an address that anybody may give.
it.each([
  ['/coupons/5', '/coupons/5'],
  ['/Coupons/5/', '/coupons/5'],
  ['/coupons/5?bid=1', '/coupons/5?bid=1'],
  ['/coupons/5?x=2&buy=1&message=Hello', '/coupons/5?buy=1'],
  ['/coupons/5?exchange=1', '/coupons/5?exchange=1'],
  ['/coupons/5?validate=1', '/coupons/5?validate=1'],
  ['/coupons/5?bid=20.00', '/coupons/5'],
  ['/coupons/5?bid=1#evil', '/coupons/5'],
  ['/coupons/5#evil', null],
  ['/coupons/0', null],
  ['/coupons/99999999999', null],
  ['/coupons/five', null],
  ['/my-coupons?coupon=5', null],
  ['//evil.example/coupons/5', null],
  ['https://evil.example/coupons/5', null],
  ['', null],
] as const)('of %j, %j is the path of a coupon', (from, path) => expect(couponPathIn(from)).toBe(path));
