import { expect, it } from 'vitest';
import { forgetOthers } from './viewer-storage.ts';

it.each(['sessionStorage', 'localStorage'] as const)(
  'what one person has left in the %s is forgotten when another signs in, or nobody is signed in any more',
  (name) => {
    const storage = window[name];
    storage.clear();
    const keep = () => {
      for (const key of ['clipswap.typed.1.coupon', 'clipswap.typed.12.coupon', 'theme'])
        storage.setItem(key, '{}');
    };
    keep();
    forgetOthers(1);
    expect(Object.keys(storage)).toEqual(['clipswap.typed.1.coupon', 'theme']);
    keep();
    forgetOthers(undefined);
    expect(Object.keys(storage)).toEqual(['theme']);
  },
);
