import type { Browser, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { sendWaitingPushes } from '#server/people/push/sending.ts';
import { createCoupon, createUser } from '#tests/support/builders.ts';
import { closePages, expectNoAxeViolations, openPage, sharedBrowser } from './harness.ts';
import { openSite, type Site, signIn } from './site.ts';

let site: Site;
let browser: Browser;
let mia: Actor;
let owner: Actor;
beforeAll(async () => {
  site = await openSite({ withDemo: false });
  browser = await sharedBrowser();
  mia = await createUser(site.ctx);
  owner = await createUser(site.ctx);
});
afterAll(async () => {
  await closePages();
  await site?.close();
});

/**
 * Runs in the page, before anything else: the sandbox's push service in place of the browser's own, which needs its maker's
 * servers; and a person who has not been asked yet, and says yes.
 */
function replacePushService(): void {
  let subscription: PushSubscription | null = null;
  let permission: NotificationPermission = 'default';
  Object.defineProperty(Notification, 'permission', { get: () => permission });
  Notification.requestPermission = async () => {
    permission = 'granted';
    return permission;
  };
  PushManager.prototype.getSubscription = async () => subscription;
  PushManager.prototype.subscribe = async (options) => {
    const { applicationServerKey } = options ?? {};
    const answer = await fetch('/sandbox/push/browsers', {
      method: 'POST',
      body: JSON.stringify({ applicationServerKey }),
    });
    const given = await answer.json();
    subscription = { ...given, toJSON: () => given } as PushSubscription;
    return subscription;
  };
}

/** Hands a push to the worker of a page, as the browser does once its push service has it. */
async function deliver(page: Page, data: string): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devTools.send('ServiceWorker.enable');
  await devTools.send('ServiceWorker.deliverPushMessage', {
    origin: site.baseUrl,
    registrationId: await registered,
    data,
  });
  await devTools.detach();
}

interface Shown {
  readonly title: string;
  readonly options: { readonly data: { readonly path: string } };
}

/** What the worker uses of its scope, with what it has shown and opened. */
interface WatchedScope extends EventTarget {
  readonly registration: { showNotification: (title: string, options: Shown['options']) => Promise<void> };
  readonly clients: { openWindow: (url: string) => Promise<null> };
  readonly WindowClient: { readonly prototype: { focus: (this: { url: string }) => Promise<void> } };
  readonly ExtendableEvent: new (type: string) => Event;
  shown: Shown[];
  opened: string[];
}

/**
 * Notes what a worker shows and opens: browsers without a screen show nothing, and open windows after a real press alone.
 */
const watch = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as WatchedScope;
    scope.shown = [];
    scope.opened = [];
    scope.registration.showNotification = async (title, options) => void scope.shown.push({ title, options });
    scope.clients.openWindow = async (url) => {
      scope.opened.push(url);
      return null;
    };
    scope.WindowClient.prototype.focus = async function () {
      scope.opened.push(`focused ${this.url}`);
    };
  });

const shownBy = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as WatchedScope).shown);

/** Presses a notification. @returns the pages that the worker has opened so far */
const pressedIn = (worker: Worker, path: string) =>
  worker.evaluate(async (path) => {
    const scope = globalThis as unknown as WatchedScope;
    const work: Promise<unknown>[] = [];
    const event = Object.assign(new scope.ExtendableEvent('notificationclick'), {
      notification: { close() {}, data: { path } },
      waitUntil: (one: Promise<unknown>) => void work.push(one),
    });
    scope.dispatchEvent(event);
    await Promise.all(work);
    return scope.opened;
  }, path);

it('after a bid they are asked for, and the answer to it arrives and leads to its page', async () => {
  const coupon = await createCoupon(site.ctx, owner, { title: 'Soup for two' });
  const { page, context, assertNoConsoleErrors } = await openPage(browser, {
    width: 390,
    baseUrl: site.baseUrl,
    loadsWhenIdle: true,
  });
  await page.addInitScript(replacePushService);
  await signIn(site, context, mia);
  await page.goto(`/coupons/${coupon.id}?bid=1`);
  await page.getByLabel('Your bid (CAD)').fill('12.50');
  await page.getByRole('button', { name: 'Place bid' }).click();
  await page.waitForURL('**/my-bids*');
  await page.getByText('Want to know at once when your bid is answered?').waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('button', { name: 'Notify me' }).click();
  await page.getByText('Push notifications are on').waitFor();

  const bid = await site.ctx.db
    .selectFrom('bids')
    .select('id')
    .where('couponId', '=', coupon.id)
    .executeTakeFirstOrThrow();
  await site.trpc(owner, 'mutation', 'bids.setStatus', { id: bid.id, status: 'accepted' });
  expect(await sendWaitingPushes(site.ctx)).toEqual({ sent: 1, failed: 0 });
  const [push] = (await site.sandbox?.push.received()) ?? [];
  expect(push).toMatchObject({
    title: 'Your bid was accepted',
    path: expect.stringContaining(String(bid.id)),
  });

  const { title, body, path, tag } = push ?? { path: '' };
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('The page has no worker');
  await watch(worker);
  await deliver(page, JSON.stringify({ title, body, path, tag }));
  await expect.poll(() => shownBy(worker)).toMatchObject([{ title, options: { body, tag, data: { path } } }]);
  // What cannot be read shows something, too.
  await deliver(page, 'no JSON');
  await expect.poll(() => shownBy(worker)).toMatchObject([{ title }, { title: 'Notifications' }]);

  // Of a page that is open, no second one is opened.
  await pressedIn(worker, path);
  await pressedIn(worker, 'https://evil.example/x');
  await page.goto(path);
  const own = site.baseUrl + path;
  expect(await pressedIn(worker, path)).toEqual([own, `${site.baseUrl}/`, `focused ${own}`]);
  assertNoConsoleErrors();

  await page.goto('/profile-settings#push');
  await page
    .getByRole('list', { name: 'Browsers with push notifications' })
    .getByText('This device')
    .waitFor();
  await expectNoAxeViolations(page);
  await context.close();
});
