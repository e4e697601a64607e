import { expect, test } from 'vitest';
import { speak } from '#contract/base/i18n.ts';

test('no text is made while the server is loaded: which language is needed is not known yet', async () => {
  speak(() => {
    throw new Error('A text was made too early: put it into a function');
  });
  await expect(import('./app.ts')).resolves.toHaveProperty('buildApp');
});
