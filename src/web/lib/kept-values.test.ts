import { expect, it } from 'vitest';
import { forgetTypedByOthers } from './kept-values.ts';

it('what one person has typed is forgotten when another signs in, or nobody is signed in any more', () => {
  const keep = () => {
    for (const key of ['clipswap.typed.1.coupon', 'clipswap.typed.12.coupon', 'theme'])
      sessionStorage.setItem(key, '{}');
  };
  keep();
  forgetTypedByOthers(1);
  expect(Object.keys(sessionStorage)).toEqual(['clipswap.typed.1.coupon', 'theme']);
  keep();
  forgetTypedByOthers(undefined);
  expect(Object.keys(sessionStorage)).toEqual(['theme']);
});
