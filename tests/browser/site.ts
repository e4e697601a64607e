import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Actor } from '#server/context/context.ts';
import type { Config } from '#server/core/config.ts';
import { startSession } from '#server/people/sessions/sessions.ts';
import { sessionCookieName } from '#server/trpc/context.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createTestClock } from '#tests/support/builders.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { createDemoDatabase, openDemoFiles, openDemoStore } from '../demo.ts';

const WEB_ROOT = path.resolve(import.meta.dirname, '../../dist/web');

export interface Site extends TestApp {
  readonly baseUrl: string;
}

/**
 * Opens the marketplace, built web application, payment sandboxes and all, on a free port and a database of its own.
 */
export async function openSite({
  withDemo,
  host = '127.0.0.1',
  config,
  isMailKept = false,
  webRoot = WEB_ROOT,
}: {
  withDemo: boolean;
  /** Of its public address; browsers have no passkeys for bare IP addresses. */
  host?: string;
  config?: Partial<Config>;
  /** Whether the sandbox shows what is mailed. */
  isMailKept?: boolean;
  /** Another build of the web application. */
  webRoot?: string;
}): Promise<Site> {
  const port = await freePort();
  const baseUrl = `http://${host}:${port}`;
  const database = withDemo ? await createDemoDatabase() : await createTestDatabase();
  const test = await createTestApp({
    database,
    webRoot,
    // The demo's time is that of the test contexts.
    clock: createTestClock(withDemo ? undefined : new Date()),
    config: {
      publicUrl: baseUrl,
      ...config,
    },
    standIns: ['stripe', 'paypal', 'inbound-mail', ...(isMailKept ? (['mail'] as const) : [])],
    ...(withDemo && { providers: { storage: openDemoFiles().storage } }),
    sandbox: { webhooks: 'auto', ...(withDemo && { store: openDemoStore() }) },
  });
  await test.app.listen({ host: '127.0.0.1', port });
  return { ...test, baseUrl };
}

/** Signs a browser in. */
export async function signIn(
  { ctx, deps, baseUrl }: Pick<Site, 'ctx' | 'deps' | 'baseUrl'>,
  context: BrowserContext,
  who: Pick<Actor, 'id'>,
): Promise<void> {
  const { token } = await startSession(ctx.db, ctx.clock, who.id);
  await context.addCookies([{ name: sessionCookieName(deps.config), value: token, url: baseUrl }]);
}

/** Opens a page, and again once it has been looked at: whoever comes again gets the worker. Waits for it. */
export async function openTwice(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.waitForFunction(() => localStorage.getItem('clipswap.answers'));
  await page.goto(path);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
}

/**
 * Finds a free port. The sandboxes' pages link to our own address, so it must be known before we listen. Systems give
 * outgoing connections higher ports: what starts again on this one finds it free again.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => probe.close(resolve));
    return port;
  }
}
