import { expect, it } from 'vitest';
import { forShoppers, namedCode } from './shop-words.ts';

it.each([
  ['10% off with code: SAVE10', 'SAVE10'],
  ['Use code TEA20 at checkout', 'TEA20'],
  ['Use the promo code “SPRING” today', 'SPRING'],
  ['Gutscheincode LAMPE15 eingeben', 'LAMPE15'],
  ['Der Rabattcode lautet WINTER-5', 'WINTER-5'],
  ['10 € de remise avec le code JARDIN10', 'JARDIN10'],
  ['Code promo : BIENVENUE', 'BIENVENUE'],
  ['20% con el código VERANO20', 'VERANO20'],
  ['Usa il codice sconto SEDIA10', 'SEDIA10'],
  ['Gebruik kortingscode FIETS5', 'FIETS5'],
  ['USE CODE BOOKS25 NOW', 'BOOKS25'],
])('finds the code that a text names: %s [spec/3 2.23]', (text, code) => {
  expect(namedCode(text)).toBe(code);
});

it.each([
  'Use the code at checkout',
  'No code needed',
  'NO CODE NEEDED',
  'USE CODE AT CHECKOUT TO SAVE',
  'Kein Gutscheincode NÖTIG',
  'Kein Code AKTION25 nötig',
  'Free lamp, dress code BLACK-TIE applies to none and code ONE1 or code TWO2',
  'Postcode areas only',
  'SAVE10 off everything',
  'Code: NONE',
  'Promo code: AUTO',
  'Show the QR code: SCAN',
  'Error code: E404',
])('finds none where it is not unmistakable: %s', (text) => {
  expect(namedCode(text)).toBeNull();
});

it('finds a code that several texts agree on', () => {
  expect(namedCode('Code TEA20', 'Enter code: TEA20.', '')).toBe('TEA20');
});

it.each([
  [
    'Once per person. Affiliates may not bid on the brand name. Not on sale items.',
    'Once per person. Not on sale items.',
  ],
  ['Publishers must not use this code in e-mails.', ''],
  ['New customers only. Commission is paid on net sales.', 'New customers only.'],
  ['Orders over 19.99 only. PPC is not allowed!', 'Orders over 19.99 only.'],
  ['Dear publishers, please promote this. Ends on Sunday.', 'Ends on Sunday.'],
  ['Not on books of certain publishers.', 'Not on books of certain publishers.'],
  ['Not with other offers', 'Not with other offers'],
])('keeps notes to publishers from shoppers: %s', (text, shown) => {
  expect(forShoppers(text)).toBe(shown);
});
