import { expect, test } from 'vitest';
import { languageOfPath, type Message, pathIn, Texts, type Tokens, withoutPrefix } from './i18n.ts';

const MESSAGE: Message = {
  id: 'greeting',
  message: [
    'Hello, ',
    ['name'],
    '! ',
    ['count', 'plural', { 0: ['Nothing'], one: ['#', ' coupon'], other: ['#', ' coupons'] }],
  ],
};
const FRENCH: Tokens = [
  'Bonjour, ',
  ['name'],
  ' ! ',
  ['count', 'plural', { one: ['#', ' coupon'], other: ['#', ' coupons'] }],
];

test('a text has its values as they are, and the form for its number', () => {
  const english = new Texts('en');
  const name = '\\x41 <0>#</0>';
  expect(english.text({ ...MESSAGE, values: { name, count: 0 } })).toBe(`Hello, ${name}! Nothing`);
  expect(english.text({ ...MESSAGE, values: { name, count: 1240 } })).toBe(`Hello, ${name}! 1,240 coupons`);
  expect(english.text({ ...MESSAGE, values: { count: 2 } })).toBe('Hello, ! 2 coupons');
  const choice: Tokens = [['kind', 'select', { swap: ['a swap'], other: ['a deal'] }]];
  expect(english.text({ message: choice, values: { kind: 'swap' } })).toBe('a swap');
  expect(english.text({ message: choice, values: { kind: 'ring' } })).toBe('a deal');
});

test('a text is translated, with the numbers and forms of its language; without a translation it stays English', () => {
  const french = new Texts('fr', (id) => (id === 'greeting' ? FRENCH : undefined));
  const textFor = (count: number) => french.text({ ...MESSAGE, values: { name: 'Zoé', count } });
  expect(textFor(0)).toBe('Bonjour, Zoé ! 0 coupon');
  expect(textFor(1240)).toBe('Bonjour, Zoé ! 1\u00a0240 coupons');
  expect(french.text({ id: 'other', message: ['Other'] })).toBe('Other');
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

test('a page of another language is on this site, whatever follows the language in the address', () => {
  expect(pathIn('fr', '/deals')).toBe('/fr/deals');
  expect(pathIn('en', withoutPrefix('/fr//evil.example'))).toBe('/evil.example');
});
