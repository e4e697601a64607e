import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createCoupon, createTestClock, createUser, TEST_SECRET_KEY } from '#tests/support/builders.ts';
import { propose } from '#tests/support/exchanges.ts';
import { type FaultProxy, openFaultProxy } from '../faults/proxy.ts';
import { type ServerProcess, startServer, withoutLimits } from '../processes.ts';
import { closePages, expectNoAxeViolations, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import { freePort, signIn } from './site.ts';

/**
 * Two people write to each other, each through another server process on the same database; one connection is cut. No
 * page is reloaded: what appears within a minute, while data counts as fresh, came by a live event.
 */

/** The browser's messages about a lost connection. */
const NETWORK_ERRORS = [/net::ERR_/, /Failed to fetch/];

let test: TestApp;
let servers: ServerProcess[];
let proxy: FaultProxy;
let browser: Browser;
let mia: OpenedPage;
let noah: OpenedPage;
let people: { mia: Actor; noah: Actor; moderator: Actor };
let exchangeId: number;

beforeAll(async () => {
  test = await createTestApp({ clock: createTestClock(new Date()) });
  const { ctx } = test;
  people = {
    mia: await createUser(ctx, { username: 'mia' }),
    noah: await createUser(ctx, { username: 'noah' }),
    moderator: await createUser(ctx, { role: 'moderator' }),
  };
  const offered = await createCoupon(ctx, people.mia, { title: 'Lambswool scarf' });
  const requested = await createCoupon(ctx, people.noah, { title: 'Copper kettle' });
  exchangeId = (await propose(ctx, people.mia, { offered, requested, message: 'My scarf for your kettle?' }))
    .id;

  const [first, second] = [await freePort(), await freePort()];
  proxy = await openFaultProxy({ port: first });
  const urls = [`http://127.0.0.1:${proxy.port}`, `http://127.0.0.1:${second}`] as const;
  servers = await Promise.all([
    startServer(settingsOf(first, urls[0])),
    startServer(settingsOf(second, urls[1])),
  ]);
  browser = await sharedBrowser();
  // One on a desktop that translates the page, one on a phone.
  mia = await openPage(browser, { baseUrl: urls[0], isTranslated: true });
  noah = await openPage(browser, { baseUrl: urls[1], width: 390, height: 844, colorScheme: 'dark' });
  await signIn({ ...test, baseUrl: urls[0] }, mia.context, people.mia);
  await signIn({ ...test, baseUrl: urls[1] }, noah.context, people.noah);
});

function settingsOf(port: number, publicUrl = `http://127.0.0.1:${port}`) {
  return {
    DATABASE_URL: withoutLimits(test.database.url),
    SECRET_KEY: TEST_SECRET_KEY.toString('base64'),
    PORT: String(port),
    PUBLIC_URL: publicUrl,
  };
}

afterAll(async () => {
  await closePages();
  await proxy?.close();
  await Promise.all(servers?.map((server) => server.stop()) ?? []);
  await test?.close();
});

const thread = (page: Page) => page.getByRole('log');
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to/ });

async function say(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Expects a text exactly once in the thread. */
async function expectOnce(page: Page, text: string): Promise<void> {
  await thread(page).getByText(text, { exact: true }).first().waitFor();
  expect(await thread(page).getByText(text, { exact: true }).count()).toBe(1);
}

it('each opens the thread and sees its exchange', async () => {
  await mia.page.goto('/messages');
  // The first one is selected without a click.
  await mia.page.getByText(`Exchange #${exchangeId}`).waitFor();
  await mia.page.locator('font', { hasText: 'My scarf for your kettle?' }).first().waitFor();
  await noah.page.goto(`/messages?exchange=${exchangeId}`);
  await noah.page.getByText('My scarf for your kettle?').first().waitFor();
  for (const { page } of [mia, noah]) await expectNoAxeViolations(page);
});

it('messages arrive live both ways, over two server processes [decisions 3.10.3]', async () => {
  await say(mia.page, 'Is it still good?');
  await expectOnce(noah.page, 'Is it still good?');
  await say(noah.page, 'Until Friday.');
  await expectOnce(mia.page, 'Until Friday.');
  // The mark as read arrives the same way.
  await mia.page.getByText('Read', { exact: true }).first().waitFor();
  mia.assertNoConsoleErrors();
  noah.assertNoConsoleErrors();
});

it('notifications arrive live on any page [spec/3 2.10]', async () => {
  await noah.page.goto('/');
  await noah.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
  await say(mia.page, 'Are you there?');
  await noah.page.getByRole('button', { name: 'Notifications, 2 unread' }).waitFor();
  await noah.page.goto(`/messages?exchange=${exchangeId}`);
  await expectOnce(noah.page, 'Are you there?');
  // Reading the thread marks its notification as read.
  await noah.page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor();
});

it('nothing is missing after the network was cut and came back [decisions 3.10.3]', async () => {
  await proxy.set('cut');
  await say(noah.page, 'Sent while you were away');
  await say(noah.page, 'And one more');
  await say(mia.page, 'Sent into the void');
  await mia.page.getByText('Not sent').waitFor();
  await proxy.set('none');
  await expectOnce(mia.page, 'Sent while you were away');
  await expectOnce(mia.page, 'And one more');
  await mia.page.getByRole('button', { name: 'Retry' }).click();
  await expectOnce(noah.page, 'Sent into the void');
  await expectOnce(mia.page, 'Sent into the void');
});

it('a message whose answer was lost is sent again and stored once', async () => {
  await proxy.set('lose-answer');
  await say(mia.page, 'Did you get this?');
  // The message has arrived, but the sender has no answer.
  await expectOnce(noah.page, 'Did you get this?');
  await mia.page.getByText('Not sent').waitFor();
  await proxy.set('none');
  const retry = mia.page.getByRole('button', { name: 'Retry' });
  // The live event confirms it as well, whichever comes first.
  const notSent = mia.page.getByText('Not sent');
  await Promise.any([retry.click(), notSent.waitFor({ state: 'detached' })]);
  await expectOnce(mia.page, 'Did you get this?');
  await notSent.waitFor({ state: 'detached' });
  await expectOnce(noah.page, 'Did you get this?');
});

it('both see the same thread in the end, and so does the database', async () => {
  const { rows } = await test.database.pool.query('select content from messages order by id');
  const stored: string[] = rows.map(({ content }) => content);
  expect(new Set(stored).size).toBe(stored.length);
  for (const { page } of [mia, noah]) {
    const seen = await thread(page).innerText();
    const places = stored.map((content) => seen.indexOf(content));
    // All of it is there, in this order, and nothing twice.
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    for (const content of stored) expect(seen.split(content), content).toHaveLength(2);
  }
  mia.assertNoConsoleErrors(NETWORK_ERRORS);
  noah.assertNoConsoleErrors();
});

it('a banned person’s open tab is signed out', async () => {
  const report = await test.trpc(people.noah, 'mutation', 'moderation.report', {
    reportedUserId: people.mia.id,
    reason: 'scam',
    description: 'The scarf is not what it says it is.',
  });
  const { id } = report.json().result.data;
  await test.trpc(people.moderator, 'mutation', 'moderation.review', { id, action: 'ban' });
  // The live event signs the tab out; otherwise the next call would.
  await mia.page.waitForURL(/\/auth/);
  expect((await mia.context.request.get('/api/user')).status()).toBe(401);
});
