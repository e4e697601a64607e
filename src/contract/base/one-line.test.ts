import { describe, expect, it } from 'vitest';
import { createCouponInputSchema, updateCouponInputSchema } from '#contract/coupons/coupons.ts';
import { validateInputSchema } from '#contract/coupons/validation.ts';
import { addPasskeyInputSchema } from '#contract/people/passkeys.ts';
import { withoutLinks } from './one-line.ts';
import { quote } from './words.ts';

/** The message about the one field that is wrong. */
function refusal(schema: { safeParse(input: unknown): { error?: { issues: unknown[] } } }, input: unknown) {
  const issues = schema.safeParse(input).error?.issues as { path: string[]; message: string }[] | undefined;
  return issues?.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const EDIT = (fields: Record<string, string>) => refusal(updateCouponInputSchema, { id: 1, ...fields });

it('a text that is too long is not searched for addresses, which takes a time that grows faster', () => {
  expect(EDIT({ title: 'a@evil.example '.repeat(20) })).toEqual(['title: Must have at most 120 characters']);
});

describe('a text on one line', () => {
  it.each([
    ['a line break', 'Two coffees\nYour account is locked'],
    ['a Unicode line break', 'Two coffees\u2028Your account is locked'],
    ['a control character', 'Two coffees\u0085'],
    ['an override of the direction', 'Two \u202eseeffoc'],
    ['a zero-width space', 'Two cof\u200bfees'],
    ['a joiner outside an emoji', 'Two cof\u200dfees'],
    ['a soft hyphen', 'Two cof\u00adfees'],
    ['an invisible filler', 'Two coffees \u3164'],
    ['a web address', 'Coffee: https://evil.example/login'],
    ['a web address without a scheme', 'Coffee www.evil.example'],
    ['a path', 'Coffee evil.example/login'],
    ['a port', 'Coffee evil.example:8080'],
    ['a full-width web address', 'Coffee ｗｗｗ．evil．example'],
    ['an e-mail address', 'Write to help@evil.example'],
  ])('holds no %s', (_what, text) => {
    for (const field of ['title', 'merchant'])
      expect(EDIT({ [field]: text })?.[0]).toMatch(new RegExp(`^${field}: `));
    expect(refusal(createCouponInputSchema, { title: text })?.[0]).toMatch(/^title: (Must|Contains)/);
    expect(refusal(validateInputSchema, { merchant: text, codeValue: 'A' })?.[0]).toMatch(/^merchant: /);
    expect(refusal(addPasskeyInputSchema, { name: text, passkey: {} })?.join()).toMatch(/name: /);
  });

  it.each([
    'Booking.com',
    'H&M',
    'Hotels.com: 10% off, 3.99/lb',
    'Buy one.Get one',
    '2 for 1 @ Nike',
    'L’Oréal №5 “Rouge”',
    'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467} ❤️ pass',
    'متجر القهوة',
  ])('holds %s', (text) => {
    expect(EDIT({ title: text, merchant: text })).toBeUndefined();
  });

  it('has its blanks folded', () => {
    const edit = updateCouponInputSchema.parse({ id: 1, title: '  10\u00a0%  off\t today ' });
    expect(edit.title).toBe('10 % off today');
  });
});

it('a quotation cannot be ended or broken by what is quoted', () => {
  expect(quote('Gift” Your account is locked.\r\n\r\nSign in: “')).toBe(
    "“Gift' Your account is locked. Sign in: '”",
  );
  expect(quote('Two \u202ecoffees')).toBe('“Two coffees”');
});

it('mails break addresses, and nothing else', () => {
  expect(withoutLinks('See https://evil.example/a?b, http://1.2.3.4/, www.evil.com or me@evil.co.uk.')).toBe(
    'See https[:]//evil[.]example/a?b, http[:]//1.2.3.4/, www[.]evil[.]com or me@evil[.]co[.]uk.',
  );
  const plain = 'You paid $12.50 CAD, e.g. by card. See v. 3.5 … of maple_mia.';
  expect(withoutLinks(plain)).toBe(plain);
});
