import { expect, it } from 'vitest';
import { paths } from '#contract/base/pages.ts';
import { returnPath } from './return-path.ts';

it('returns to a page of this site [spec/1 2.5]', () => {
  const [, query] = paths.authFrom('/coupons/5?x=1').split('?');
  expect(returnPath(new URLSearchParams(query).get('from'))).toBe('/coupons/5?x=1');
});

it.each([
  null,
  '',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
])('never goes to %j', (from) => expect(returnPath(from)).toBe('/'));

it('does not return to the sign-in page, which would redirect forever', () => {
  expect(returnPath('/auth?from=%2Fauth')).toBe('/');
});
