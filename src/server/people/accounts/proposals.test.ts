import { describe, expect, it } from 'vitest';
import { proposedUsernameSchema } from '#contract/people/accounts.ts';
import { inTransaction } from '#server/database/client.ts';
import { createTestContext, createUser } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { looksOfficial, reserveUsername } from './names.ts';
import { proposeUsername, registrationPlace } from './proposals.ts';

const database = setUpDatabase();

describe('a proposed username', () => {
  it.each([
    ['jane.doe', /^jane\d{3,4}$/],
    ['Zoë', /^zoe\d{3,4}$/],
    ['j.doe1987+coupons', /^doe\d{3,4}$/],
    ['x'.repeat(254), /^x{26}\d{3,4}$/],
    ['admin', /^member\d{3,4}$/],
    ['deleted', /^member\d{3,4}$/],
    ['clipswap', /^member\d{3,4}$/],
    ['4711', /^member\d{3,4}$/],
    ['名前', /^member\d{3,4}$/],
  ])('for %s is valid, and says no more of the address than a word', async (name, expected) => {
    const { username } = await proposeUsername(createTestContext(database), { name });
    expect(username).toMatch(expected);
    expect(proposedUsernameSchema.parse({ username })).toEqual({ username });
    expect(looksOfficial(username)).toBe(false);
  });

  it('is free', async () => {
    const ctx = createTestContext(database);
    const { id: userId } = await createUser(ctx);
    // As if somebody had every name with three digits.
    const fingerprint = (text: string) => ctx.vault.fingerprint(text.replace(/ zed...$/, ''));
    const crowded = { ...ctx, vault: { ...ctx.vault, fingerprint } };
    await inTransaction(ctx.db, (trx) => reserveUsername(trx, crowded, { userId, username: 'zed123' }));
    for (let round = 0; round < 100; round += 1)
      expect((await proposeUsername(crowded, { name: 'zed' })).username).toMatch(/^zed\d{4}$/);
  });
});

describe('where a registration begins', () => {
  it.each([
    ['DE', 'EUR'],
    ['US', 'USD'],
    // Prices are not shown in francs.
    ['CH', 'CAD'],
  ])('%s: prices in %s', (country, preferredCurrency) => {
    const ctx = { ...createTestContext(database), visitorCountry: country };
    expect(registrationPlace(ctx)).toEqual({ country, preferredCurrency });
  });

  it('Canada, where nothing is known', () => {
    expect(registrationPlace(createTestContext(database))).toEqual({
      country: 'CA',
      preferredCurrency: 'CAD',
    });
  });
});
