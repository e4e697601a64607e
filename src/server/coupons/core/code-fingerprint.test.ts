import { describe, expect, it } from 'vitest';
import { codeIdentity } from './code-fingerprint.ts';

describe('the identity of a code', () => {
  const identity = codeIdentity('Tea House', 'AB12CD');

  it.each([
    ['Tea House', 'ab12cd'],
    [' TEA \t HOUSE ', 'AB 12 CD'],
    ['tea\u00a0house', '-AB-12–CD—'],
    ['Tea House', 'A\u200bB12\u2060CD'],
    ['Ｔｅａ Ｈｏｕｓｅ', 'ＡＢ１２ＣＤ'],
    ['Tea House Inc.', '"AB.12_CD"'],
    ['Tеа-House, GmbH', 'АВl2СD'],
  ])('is the same for all spellings: %s, %s', (merchant, code) => {
    expect(codeIdentity(merchant, code)).toBe(identity);
  });

  it.each([
    ['Tea House', 'AB12CE'],
    ['Tea House', 'AB12C'],
    ['Tea', 'House AB12CD'],
  ])('differs for %s, %s', (merchant, code) => {
    expect(codeIdentity(merchant, code)).not.toBe(identity);
  });
});
