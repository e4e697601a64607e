import { describe, expect, it } from 'vitest';
import { sessionUserSchema, updateProfileInputSchema } from '#contract/people/accounts.ts';
import type { MemberContext } from '#server/context/context.ts';
import { inTransaction } from '#server/database/client.ts';
import { createRateLimiter } from '#server/database/rate-limits.ts';
import { actingAs, createUser, setUpContext, TEST_PASSWORD } from '#tests/support/builders.ts';
import { setUpDatabase } from '#tests/support/database.ts';
import { anonymisePerson } from './accounts.ts';
import { sendVerification } from './confirming.ts';
import { updateProfile } from './profile.ts';

const database = setUpDatabase();
const ctx = setUpContext(database);

/** The form's input, parsed by the contract's schema. */
const form = (fields: Record<string, unknown>) =>
  updateProfileInputSchema.parse({
    preferredCurrency: 'CAD',
    country: 'CA',
    password: TEST_PASSWORD,
    ...fields,
  });

const mailsOf = (userId: number) =>
  database.db
    .selectFrom('mailOutbox')
    .select(['kind', 'address'])
    .where('userId', '=', userId)
    .orderBy('id')
    .execute();

const VERIFY = { kind: 'verify_email', address: null };

async function member(email: string, columns: Parameters<typeof createUser>[1] = {}): Promise<MemberContext> {
  return actingAs(ctx, await createUser(ctx, { ...columns, email }));
}

describe('the profile', () => {
  it('changes bio, currency and country, and records it in the history [spec/3 2.66]', async () => {
    const me = await member('plain@example.org', { bio: 'Before' });
    const user = await updateProfile(
      me,
      form({ email: 'PLAIN@example.org', bio: ' Likes bread ', preferredCurrency: 'JPY', country: 'JP' }),
    );
    expect(sessionUserSchema.strict().safeParse(user).error).toBeUndefined();
    expect(user).toMatchObject({
      email: 'plain@example.org',
      pendingEmail: null,
      isEmailVerified: true,
      bio: 'Likes bread',
      preferredCurrency: 'JPY',
      country: 'JP',
    });
    expect(await updateProfile(me, form({ email: 'plain@example.org', bio: '' }))).toMatchObject({
      bio: null,
    });
    const history = await database.db
      .selectFrom('transactionLogs')
      .select(['action', 'details', 'actorId'])
      .where('userId', '=', me.actor.id)
      .execute();
    const line = { action: 'profile', details: 'Profile updated', actorId: me.actor.id };
    expect(history).toEqual([line, line]);
    expect(await mailsOf(me.actor.id)).toEqual([]);
  });

  it('accepts a bio of at most 500 characters [spec/1 3.16]', () => {
    const email = 'bio@example.org';
    expect(form({ email, bio: 'x'.repeat(500) }).bio).toHaveLength(500);
    expect(() => form({ email, bio: 'x'.repeat(501) })).toThrow('Must have at most 500 characters');
  });

  it('a new e-mail address waits for confirmation; giving the old one again cancels it [spec/3 2.66]', async () => {
    const me = await member('steady@example.org');
    expect(await updateProfile(me, form({ email: 'next@example.org' }))).toMatchObject({
      email: 'steady@example.org',
      isEmailVerified: true,
      pendingEmail: 'next@example.org',
    });
    // Saving the form again does not send a second mail.
    await updateProfile(me, form({ email: 'NEXT@example.org', bio: 'More' }));
    expect(await mailsOf(me.actor.id)).toEqual([VERIFY]);
    const back = await updateProfile(me, form({ email: 'Steady@example.org' }));
    expect(back).toMatchObject({ email: 'steady@example.org', pendingEmail: null });
    expect(await mailsOf(me.actor.id)).toEqual([VERIFY]);
  });

  it("another person's address gets the same answer as a free one", async () => {
    await member('Theirs@example.org');
    const answers = [];
    for (const email of ['tHEIRS@example.org', 'free@example.org']) {
      const me = await member(`curious-${email}`);
      answers.push(Object.keys(await updateProfile(me, form({ email }))));
      expect(await mailsOf(me.actor.id)).toEqual([VERIFY]);
    }
    expect(answers[0]).toEqual(answers[1]);
  });

  it('refuses to change an account that has just been deleted', async () => {
    const me = await member('vanished@example.org');
    await inTransaction(ctx.db, (trx) => anonymisePerson(trx, ctx, me.actor.id));
    await expect(
      updateProfile(me, form({ email: 'back@example.org', bio: 'Still here' })),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    await sendVerification(me);
    expect(await mailsOf(me.actor.id)).toEqual([]);
  });
});

describe('rate limits', () => {
  it('allows five new addresses in an hour, including those of others; other profile changes are not limited', async () => {
    const limiter = createRateLimiter(database.pool);
    const me = { ...(await member('restless@example.org')), limiter };
    await member('known@example.org');
    for (let round = 1; round <= 4; round += 1) {
      await updateProfile(me, form({ email: `try-${round}@example.org` }));
    }
    await updateProfile(me, form({ email: 'known@example.org' }));
    await expect(updateProfile(me, form({ email: 'try-6@example.org' }))).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await updateProfile(me, form({ email: 'restless@example.org', bio: 'Fine' }));
  });

  it('sends at most three confirmation mails in an hour', async () => {
    const limiter = createRateLimiter(database.pool);
    const me = { ...(await member('impatient@example.org', { emailVerifiedAt: null })), limiter };
    for (let round = 1; round <= 3; round += 1) await sendVerification(me);
    await expect(sendVerification(me)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfter: expect.any(Number),
    });
    expect(await mailsOf(me.actor.id)).toEqual([VERIFY, VERIFY, VERIFY]);
  });

  it('sends at most five confirmation mails an hour to one address, whoever asks', async () => {
    const limiter = createRateLimiter(database.pool);
    for (let round = 1; round <= 5; round += 1) {
      const me = { ...(await member(`many-${round}@example.org`)), limiter };
      await updateProfile(me, form({ email: 'Crowded@example.org' }));
    }
    const last = { ...(await member('last@example.org')), limiter };
    await expect(updateProfile(last, form({ email: 'crowded@example.org' }))).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });
});
