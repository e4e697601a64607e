import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { speak, Texts } from '#contract/base/i18n.ts';
import { asTyped, typedCents } from './typed-amount.ts';

const NARROW = '\u202f';
const WIDE = '\u00a0';

describe('a typed amount', () => {
  it.each(['en', 'de', 'fr', 'de-CH', 'es', 'pt-BR', 'en-IN', 'pl'])(
    'without grouping takes a comma or a point in %s',
    (language) => {
      for (const [text, cents] of [
        ['10', 1_000],
        [' 9,5 ', 950],
        ['9.50', 950],
        ['9,50', 950],
        ['1234,56', 123_456],
        ['1234.56', 123_456],
        ['12345678.90', 1_234_567_890],
        ['0,5', 50],
      ] as const) {
        expect(typedCents(text, language)).toBe(cents);
      }
    },
  );

  it.each(['en', 'de', 'fr', 'de-CH'])(
    'with grouping and two digits at the end is clear in %s',
    (language) => {
      for (const text of [
        '1,234.56',
        '1.234,56',
        '1 234,56',
        `1${NARROW}234,56`,
        `1${WIDE}234.56`,
        '1’234.56',
        "1'234,56",
      ]) {
        expect(typedCents(text, language)).toBe(123_456);
      }
      for (const text of ['1,234,567', '1.234.567', `1${NARROW}234${NARROW}567`, '1’234’567', '1 234 567']) {
        expect(typedCents(text, language)).toBe(123_456_700);
      }
    },
  );

  it.each([
    ['en', '1,234', 123_400],
    ['en', '1.234', null],
    ['de', '1.234', 123_400],
    ['de', '1,234', null],
    ['fr', '1,234', null],
    ['fr', '1.234', null],
    ['fr', `1${NARROW}234`, 123_400],
    ['fr', '1 234', 123_400],
    ['de-CH', '1’234', 123_400],
    ['de-CH', '1.234', null],
    ['de-CH', '1,234', null],
    ['es', '1.234', 123_400],
    ['pt-BR', '1.234', 123_400],
  ])('that could mean two things is decided by the language: %s %s', (language, text, cents) => {
    expect(typedCents(text, language)).toBe(cents);
  });

  it('is read as elsewhere on this computer if the browser names no proper language', () => {
    for (const language of ['en-US@posix', 'C', '']) expect(typedCents('9,50', language)).toBe(950);
  });

  it('follows the groups of India and the digits of Egypt', () => {
    expect(typedCents('12,34,567.80', 'en-IN')).toBe(123_456_780);
    expect(typedCents('١٬٢٣٤٫٥٠', 'ar-EG')).toBe(123_450);
  });

  it.each([
    '',
    ' ',
    'abc',
    '-5',
    '1,23,4',
    '1,2345.6',
    '1.234,567',
    '12,345,67',
    '1 2',
    '1,,5',
    '1e3',
    '٣x',
    ',5',
    '5,',
    '1.2.3',
    '12345678901234',
  ])('is none: “%s”', (text) => {
    for (const language of ['en', 'de', 'fr', 'de-CH']) expect(typedCents(text, language)).toBeNull();
  });
});

describe('on a page in French', () => {
  let before: () => Texts;
  beforeEach(() => {
    before = speak(() => new Texts('fr'));
  });
  afterEach(() => {
    speak(before);
  });

  it('amounts have a decimal comma, whatever the browser speaks', () => {
    vi.spyOn(navigator, 'language', 'get').mockReturnValue('en-CA');
    expect(asTyped('12.50')).toBe('12,50');
    expect(typedCents('12,50')).toBe(1_250);
    expect(typedCents('12.50')).toBe(1_250);
    expect(typedCents('1 250,50')).toBe(125_050);
    // It has three decimals, or is English: nobody can tell.
    expect(typedCents('1,250')).toBeNull();
  });
});
