import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { language, speakByDefault, texts } from '#contract/base/i18n.ts';
import { inLanguage, preferredLanguage } from './language.ts';

test.each([
  [undefined, 'en'],
  ['*', 'en'],
  ['de, ja;q=0.5', 'en'],
  ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
  ['en-CA,en;q=0.9,fr;q=0.8', 'en'],
  ['de,fr;q=0.2,en;q=0.1', 'fr'],
  ['fr;q=0', 'en'],
  [';;,q=', 'en'],
])('with Accept-Language %s somebody reads %s', (header, expected) => {
  expect(preferredLanguage(header)).toBe(expected);
});

test.each([
  [undefined, 'fr'],
  ['*', 'fr'],
  ['de, ja;q=0.5', 'fr'],
  ['en-CA,en;q=0.9,fr;q=0.8', 'en'],
])('in a French market, with Accept-Language %s, it is %s', (header, expected) => {
  speakByDefault('fr');
  onTestFinished(() => speakByDefault('en'));
  expect(preferredLanguage(header)).toBe(expected);
});

test('works at the same time speak their own languages; everything else is English', async () => {
  const work = async (ms: number) => {
    await sleep(ms);
    return [language(), texts().text({ id: 'none', message: ['An unknown text'] })];
  };
  const [french, english] = await Promise.all([inLanguage('fr', () => work(2)), work(1)]);
  expect(french).toEqual(['fr', 'An unknown text']);
  expect(english).toEqual(['en', 'An unknown text']);
});
