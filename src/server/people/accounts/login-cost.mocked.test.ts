import { verify } from '@node-rs/argon2';
import { expect, it, vi } from 'vitest';
import { TEXTS } from '#contract/base/texts.ts';
import { registerInputSchema } from '#contract/people/accounts.ts';
import { createTestContext } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { login, register } from './signing-in.ts';

// Spies on the real module.
vi.mock('@node-rs/argon2', { spy: true });

const database = setUpDatabase();

/** OWASP's recommended cost, as a stored hash states it. */
const COST = '$argon2id$v=19$m=19456,t=2,p=1$';

it('an unknown name and a wrong password get the same answer after the same work [decisions 5.1.8]', async () => {
  const ctx = createTestContext(database);
  const known = {
    username: 'known',
    email: 'known@example.org',
    password: 'a meadow after rain',
    acceptTerms: true,
    isAdult: true,
  };
  await register(ctx, registerInputSchema.parse(known), null);
  // A password in an unusual Unicode form is compared in two forms.
  for (const [password, times] of [
    ['wrong password', 1],
    ['wrong pa\u0301ssword', 2],
  ] as const) {
    for (const username of ['known', 'nobody', 'nobody@example.org', 'no\u0000body']) {
      vi.mocked(verify).mockClear();
      await expect(login(ctx, { username, password }, null)).rejects.toMatchObject({
        code: 'unauthorized',
        message: TEXTS.accounts.invalidLogin(),
      });
      const hashes = vi.mocked(verify).mock.calls.map(([stored]) => String(stored).slice(0, COST.length));
      expect(hashes).toEqual(Array(times).fill(COST));
    }
  }
});
