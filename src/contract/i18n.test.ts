import { expect, test } from 'vitest';
import { languageOfPath, Texts, withoutPrefix } from './i18n.ts';

const MESSAGE = { id: 'greeting', message: 'Hello, {name}!' };

test('what people wrote keeps its backslashes', () => {
  const name = 'A\\x41\\u0041\\';
  expect(new Texts('en')._({ ...MESSAGE, values: { name } })).toBe(`Hello, ${name}!`);
  expect(new Texts('en')._('greeting', { name }, MESSAGE)).toBe(`Hello, ${name}!`);
});

test('a text is translated, with the numbers of its language; without a translation it stays English', () => {
  const french = new Texts('fr', { greeting: 'Bonjour, {name}!' });
  expect(french._({ ...MESSAGE, values: { name: 'Zoé' } })).toBe('Bonjour, Zoé!');
  const count = {
    id: 'count',
    message: '{n, plural, one {# coupon} other {# coupons}}',
    values: { n: 1240 },
  };
  expect(french._(count)).toBe('1\u00a0240 coupons');
  expect(new Texts('en')._(count)).toBe('1,240 coupons');
});

test.each([
  ['/', 'en', '/'],
  ['/discover?to=/fr/', 'en', '/discover?to=/fr/'],
  ['/fr', 'fr', '/'],
  ['/fr?sort=newest', 'fr', '/?sort=newest'],
  ['/fr/coupons/1#bids', 'fr', '/coupons/1#bids'],
  ['/frites', 'en', '/frites'],
  ['/xx/coupons', 'en', '/xx/coupons'],
])('%s is a page in %s', (path, language, rest) => {
  expect(languageOfPath(path)).toBe(language);
  expect(withoutPrefix(path)).toBe(rest);
});
