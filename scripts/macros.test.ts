import { expect, test } from 'vitest';
import { withoutMacros } from './macros.ts';

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

test('a program that speaks several languages keeps the ids', async () => {
  const { code = '' } = (await withoutMacros(MODULE, 'module.tsx')) ?? {};
  expect(code).toMatch(/message: \["Sign out"\],\s+id: "\w{6}"/);
});

test('a module without macros stays as it is', async () => {
  expect(await withoutMacros('export const one = 1;', 'module.ts', 'en')).toBeUndefined();
});
