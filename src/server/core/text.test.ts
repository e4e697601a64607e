import { expect, it } from 'vitest';
import { seenText } from './text.ts';

it.each([
  ['a zero-width space', 'ZWSP-20\u200b-ABC', 'ZWSP-20-ABC'],
  ['a soft hyphen', 'SAVE\u00ad10', 'SAVE10'],
  ['a word joiner and a byte order mark', '\ufeffSA\u2060VE', 'SAVE'],
  ['an override of the direction', 'A\u202eB\u202c', 'AB'],
  ['a joiner between letters', 'A\u200dB', 'AB'],
  ['a variation selector behind a digit', 'A1\ufe0f2', 'A12'],
  ['full-width letters, digits and blanks', 'ＳＡＶＥ－１０　％', 'SAVE-10 %'],
  ['letters in a style', '𝗦𝗔𝗩𝗘𝟭𝟬', 'SAVE10'],
  ['hyphens of typesetters', 'AB\u2010CD\u2011EF', 'AB-CD-EF'],
  ['half of a letter, and a zero', 'A\ud800B\u0000C', 'AB C'],
  ['a blank that does not break', '1\u202f500\u00a0€', '1 500 €'],
])('a text with %s is as a person sees it', (_, given, seen) => {
  expect(seenText(given)).toBe(seen);
});

it.each(['👨‍👩‍👧 ❤️ 1️⃣', 'Ends\r\nand\ttabs', '½ price, m², №5…', 'متجر القهوة'])(
  '%s stays as it is',
  (text) => {
    expect(seenText(text)).toBe(text);
  },
);
