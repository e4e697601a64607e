import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '#server/core/clock.ts';
import type { Mailer } from '#server/providers/mail/mailer.ts';
import { type PaymentProvider, ProviderRefusal, ProviderUnreachable } from '#server/providers/payments.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import { StorageFailure } from '#server/providers/storage/storage.ts';
import { setUpContext } from '#tests/support/builders.ts';
import { checking, configOf } from '#tests/support/checks.ts';
import { makeWalletFiles } from '#tests/support/wallets.ts';
import { mail, paypal, redis, storage, stripe, wallets } from './check-services.ts';
import { backup, feeds, jobs, validators } from './check-work.ts';
import { putRun } from './checks-store.ts';
import { recordRun, registerJobs } from './job-runs.ts';

const ctx = setUpContext();
const { look, states } = checking(ctx);

/** A mailer that fails with this error. */
function mailerOf(failure: Error | null): Mailer {
  const act = async () => {
    if (failure) throw failure;
  };
  return { transport: 'smtp', send: act, check: act, close: async () => {} };
}

const aFeedNamed = (name: string) => ({
  name,
  everyHours: 6,
  fetch: () => Promise.reject(new Error('not asked')),
});

/** A provider that tells its webhooks, or fails. */
function providerOf(answer: Awaited<ReturnType<PaymentProvider['listWebhooks']>> | Error) {
  const provider = {
    neededEvents: ['paid', 'failed'],
    async listWebhooks() {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const stripe = provider as unknown as PaymentProvider;
  return { providers: { payments: { stripe, paypal: null } } };
}

describe('services', () => {
  it('asks the mail server, and tells why it refuses', async () => {
    const providers = (failure: Error | null) => ({ providers: { mail: mailerOf(failure) } });
    expect(
      await states(mail, {}, providers(null), { ...providers(null), mailTo: 'op@clipswap.example' }),
    ).toEqual(['not_set_up', 'good', 'good']);
    expect(await look(mail, providers(new Error('not sent: 535 5.7.8 (EAUTH)')))).toMatchObject({
      state: 'broken',
      found: expect.stringContaining('535 5.7.8'),
    });
  });

  it('compares the webhooks of a provider with what we need', async () => {
    const url = `${configOf().publicUrl}/api/webhooks/stripe`;
    const one = { url, isEnabled: true, events: ['paid'] };
    const two = { ...one, events: ['failed'] };
    expect(
      await states(
        stripe,
        {},
        providerOf([{ ...one, events: ['*'] }]),
        providerOf([one, two]),
        providerOf([]),
        providerOf([{ ...one, url: 'https://old.example' }]),
        providerOf([{ ...one, isEnabled: false }]),
        providerOf(new ProviderUnreachable('Stripe did not answer')),
      ),
    ).toEqual(['not_set_up', 'good', 'good', 'broken', 'broken', 'broken', 'broken']);
    expect(await look(stripe, providerOf([one, { ...two, isEnabled: false }]))).toMatchObject({
      state: 'broken',
      found: expect.stringMatching(/: failed$/),
    });
    expect(
      await look(stripe, providerOf(new ProviderRefusal('x', 'No such key sk_live_123456789012345'))),
    ).toMatchObject({ state: 'broken', found: expect.stringMatching(/No such key …$/) });
    expect(await states(paypal, {})).toEqual(['not_set_up']);
  });

  it('writes and deletes a file in the storage', async () => {
    const memory = createMemoryStorage();
    const fails = async () => {
      throw new StorageFailure('The storage answered 403 AccessDenied');
    };
    const keeps = { ...memory, remove: async () => {} };
    expect(
      await states(
        storage,
        {},
        { providers: { storage: { ...memory, put: fails } } },
        { providers: { storage: { ...memory, get: async () => null } } },
        { providers: { storage: keeps } },
      ),
    ).toEqual(['good', 'broken', 'broken', 'broken']);
  });

  it('tells of a Redis that is away', async () => {
    expect(await states(redis, {}, { environment: { REDIS_URL: 'redis://127.0.0.1:1' } })).toEqual([
      'not_set_up',
      'broken',
    ]);
  });
});

it('tells when Apple’s certificate ends', async () => {
  // It ends tomorrow.
  const config = {
    ...configOf(),
    wallets: makeWalletFiles(mkdtempSync(path.join(tmpdir(), 'checks-'))).settings,
  };
  expect(await states(wallets, {}, { config })).toEqual(['not_set_up', 'broken']);
  const now = { config, clock: () => new Date() };
  expect(await look(wallets, now)).toMatchObject({
    state: 'attention',
    found: expect.stringMatching(/ends (today|in 1 day)/),
  });
});

describe('work', () => {
  it('tells of late, failing and missing jobs', async () => {
    const state = async () => (await look(jobs))?.state;
    expect(await state()).toBe('attention');
    await registerJobs(ctx, [{ name: 'minutely', cron: '* * * * *' }]);
    await recordRun(ctx, 'minutely', async () => 3);
    expect(await state()).toBe('good');
    await recordRun(ctx, 'minutely', () => Promise.reject(new Error('no'))).catch(() => {});
    expect(await state()).toBe('attention');
    await recordRun(ctx, 'minutely', async () => 3);
    ctx.clock.advanceDays(1);
    expect(await state()).toBe('broken');
  });

  it('tells the age of the last backup', async () => {
    const state = async () => (await look(backup))?.state;
    expect(await state()).toBe('not_set_up');
    await putRun(ctx.db, { name: 'backup', ranAt: ctx.clock() });
    expect(await state()).toBe('good');
    ctx.clock.advanceDays(3);
    expect(await state()).toBe('attention');
    ctx.clock.advanceDays(5);
    expect(await state()).toBe('broken');
  });

  it('tells of feeds that cannot be read, and of programmes that do not answer', async () => {
    const setUp = {
      environment: { FEEDS_FILE: 'feeds.json' },
      providers: { feeds: () => [aFeedNamed('deals')] },
    };
    // A file that was imported once is not read again.
    const imported = { name: 'imported', fetchedAt: addDays(ctx.clock(), -24), problem: null };
    await ctx.db.insertInto('feeds').values(imported).execute();
    expect(await states(feeds, {}, setUp)).toEqual(['not_set_up', 'good']);
    await ctx.db
      .insertInto('feeds')
      .values({ name: 'deals', fetchedAt: ctx.clock(), problem: null })
      .execute();
    expect(await states(feeds, setUp)).toEqual(['good']);
    await ctx.db.updateTable('feeds').set({ problem: 'It answered 404' }).execute();
    expect(await look(feeds, setUp)).toMatchObject({
      state: 'attention',
      found: expect.stringMatching(/: deals$/),
    });

    const environment = { VALIDATORS_FILE: 'validators.json' };
    expect(await states(validators, {}, { environment })).toEqual(['not_set_up', 'good']);
    await ctx.db
      .insertInto('validations')
      .values({
        codeHash: '0'.repeat(64),
        isConfirmed: false,
        isValid: true,
        source: 'auto',
        validatedWith: 'pattern-offline',
        verdict: '{}',
        createdAt: ctx.clock(),
      })
      .execute();
    expect(await states(validators, { environment })).toEqual(['attention']);
  });
});
