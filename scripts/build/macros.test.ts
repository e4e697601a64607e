import { expect, test } from 'vitest';
import { i18n, locale } from '../../src/contract/base/i18n.ts';
import { withoutMacros } from './macros.ts';
import { PSEUDO, speakPseudo } from './pseudo.ts';

const MODULE = `
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
export const plain: string = t\`Sign out\`;
export const Link = () => <p><Trans>Sign out</Trans></p>;
export const counted = (count: number) => plural(count, { one: '# unread message', other: '# unread messages' });
`;

test('a plain text takes the place of its macro; one with values keeps a call with its compiled text', async () => {
  const { code = '' } = (await withoutMacros(MODULE, 'module.tsx', 'en')) ?? {};
  expect(code).toContain('plain: string = "Sign out"');
  expect(code).toContain('<p>{"Sign out"}</p>');
  expect(code).toContain('" unread message"');
  expect(code).not.toMatch(/id:|macro/);
});

test('the texts are those of the language', async () => {
  const { code = '' } = (await withoutMacros(MODULE, 'module.tsx', 'fr')) ?? {};
  expect(code).toContain('plain: string = "Se déconnecter"');
  expect(code).not.toContain('Sign out');
});

test('texts in the elements of a text are of the language, too', async () => {
  const nested = `
    import { t } from '@lingui/core/macro';
    import { Trans } from '@lingui/react/macro';
    export const Link = () => <Trans>Read <a title={t\`Sign out\`}>this</a></Trans>;
  `;
  const { code = '' } = (await withoutMacros(nested, 'module.tsx', 'fr')) ?? {};
  expect(code).toContain('title={"Se déconnecter"}');
});

test('the pseudo-language has no letters of English, but all values and elements', async () => {
  const { code = '' } = (await withoutMacros(MODULE, 'module.tsx', PSEUDO)) ?? {};
  expect(code).toContain('plain: string = "Šííğñ óóúúť"');
  expect(code).toContain('" úúñřééááď ɱééššááğééš"');
  const greeting = {
    id: 'greeting',
    message: ['Hello, <0>', ['name'], '</0>!'],
    values: { name: 'Zoe' },
  } as const;
  const stop = speakPseudo();
  expect(i18n._(greeting)).toBe('Ĥééľľóó, <0>Zoe</0>!');
  expect(locale()).toBe('el');
  stop();
  expect(i18n._(greeting)).toBe('Hello, <0>Zoe</0>!');
  expect(locale()).toBe('en');
});

test('a program that speaks several languages keeps the ids', async () => {
  const { code = '' } = (await withoutMacros(MODULE, 'module.tsx')) ?? {};
  expect(code).toMatch(/message: \["Sign out"\],\s+id: "\w{6}"/);
});

test('a module without macros stays as it is', async () => {
  expect(await withoutMacros('export const one = 1;', 'module.ts', 'en')).toBeUndefined();
});
