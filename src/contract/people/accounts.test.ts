import { describe, expect, it } from 'vitest';
import { registerInputSchema } from './accounts.ts';

const FORM = {
  username: 'olive',
  password: 'a rather long pass phrase',
  email: 'olive@example.org',
  acceptTerms: true,
  isAdult: true,
};
const messageOf = (change: object) =>
  registerInputSchema.safeParse({ ...FORM, ...change }).error?.issues[0]?.message;

describe('registration (decisions 5.1)', () => {
  it.each(['abc', 'x'.repeat(30), 'A-z_0.9'])('accepts the user name %s [decisions 5.1.1]', (username) => {
    expect(messageOf({ username })).toBeUndefined();
  });

  it.each([
    ['ab', 'Username must have at least 3 characters'],
    ['x'.repeat(31), 'Username must have at most 30 characters'],
    ['two words', 'Username may contain only letters, digits, dots, dashes and underscores'],
    ['zoë', 'Username may contain only letters, digits, dots, dashes and underscores'],
  ])('refuses the user name %s: %s [decisions 5.1.1]', (username, message) => {
    expect(messageOf({ username })).toBe(message);
  });

  it('accepts passwords of 8 to 128 characters [decisions 5.1.2]', () => {
    expect(messageOf({ password: 'x'.repeat(7) })).toBe('Password must have at least 8 characters');
    expect(messageOf({ password: 'x'.repeat(8) })).toBeUndefined();
    expect(messageOf({ password: 'x'.repeat(128) })).toBeUndefined();
    expect(messageOf({ password: 'x'.repeat(129) })).toBe('Password must have at most 128 characters');
  });

  it.each([
    'jörg@bücher.example',
    'o.live+swap@mail.example.co.uk',
    '用户@例え.jp',
    'a@xn--bcher-kva.example',
  ])('accepts the e-mail address %s', (email) => {
    expect(messageOf({ email })).toBeUndefined();
  });

  it.each([
    '.a@example.org',
    'a..b@example.org',
    'a@example',
    'a b@example.org',
    'a@-example.org',
    'a@b@example.org',
  ])('refuses the e-mail address %s', (email) => {
    expect(messageOf({ email })).toBe('Enter a valid email address');
  });

  it('requires an e-mail address, consent to the terms, and the age of 18 [decisions 5.1.5]', () => {
    expect(messageOf({ email: 'nowhere' })).toBe('Enter a valid email address');
    expect(messageOf({ acceptTerms: false })).toBe('Please accept the terms to register');
    expect(messageOf({ isAdult: false })).toBe('You must be at least 18 to register');
  });

  it('defaults to CAD and Canada [spec/1 3.2]', () => {
    expect(registerInputSchema.parse(FORM)).toMatchObject({ preferredCurrency: 'CAD', country: 'CA' });
  });
});
