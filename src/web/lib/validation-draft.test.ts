import { expect, it, vi } from 'vitest';

it('what was being checked is there after the page load of a sign-in, and not in the storage', async () => {
  const before = await import('./validation-draft.ts');
  before.storeDraft({ merchant: 'Kite Works', code: 'KITE-1' });
  expect(sessionStorage).toHaveLength(0);
  before.carryDraft();
  vi.resetModules();
  const after = await import('./validation-draft.ts');
  expect(after.storedDraft()).toMatchObject({ merchant: 'Kite Works', code: 'KITE-1' });
  expect(sessionStorage).toHaveLength(0);
});
