import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '#tests/browser/chromium.ts';
import { freePort, type Running, run } from './processes.ts';

/** A look at a page on an emulated slow phone, with nothing in the browser's cache. */
interface PageTimes {
  readonly largestPaintMs: number;
  readonly layoutShift: number;
  /** After the page has loaded. */
  readonly longestTaskMs: number;
  readonly requests: number;
  readonly kilobytes: number;
}

const LOOKS = ['', '/fr'].flatMap((prefix) => [
  { path: `${prefix}/`, isMember: false },
  { path: `${prefix}/coupons/1`, isMember: false },
  { path: `${prefix}/my-coupons`, isMember: true },
]);
const DEMO = { username: 'maple_mia', password: 'clip-and-swap-demo' };
const SLOW_PHONE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const UNTOUCHED_MS = 10_000;

/** Runs in the page, before anything else. */
function watchTimes(): void {
  const times = { largestPaintMs: 0, layoutShift: 0, longestTaskMs: 0 };
  Object.assign(globalThis, { times });
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { entryType, startTime, duration } = entry;
      if (entryType === 'largest-contentful-paint') times.largestPaintMs = startTime;
      else if (entryType === 'layout-shift') times.layoutShift += Reflect.get(entry, 'value');
      else if (document.readyState === 'complete')
        times.longestTaskMs = Math.max(times.longestTaskMs, duration);
    }
  });
  for (const type of ['largest-contentful-paint', 'layout-shift', 'longtask'])
    observer.observe({ type, buffered: true });
}

async function look(browser: Browser, url: string, cookie: string | null, path: string): Promise<PageTimes> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-CA' });
  try {
    if (cookie !== null) {
      const [name = '', value = ''] = cookie.split('=');
      await context.addCookies([{ name, value, url }]);
    }
    const page = await context.newPage();
    const received = await slowDown(page);
    await page.addInitScript(watchTimes);
    await page.goto(url + path, { timeout: 120_000 });
    await sleep(UNTOUCHED_MS);
    const times = await page.evaluate(() => Reflect.get(globalThis, 'times'));
    return { ...times, ...received };
  } finally {
    await context.close();
  }
}

/** @returns what has been received since, which goes on counting */
async function slowDown(page: Page): Promise<{ requests: number; kilobytes: number }> {
  const received = { requests: 0, kilobytes: 0 };
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', SLOW_PHONE);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  devTools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received.requests += 1;
    received.kilobytes += encodedDataLength / 1_000;
  });
  return received;
}

async function signIn({ url }: Running): Promise<string> {
  const answer = await fetch(`${url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(DEMO),
  });
  const [cookie] = answer.headers.getSetCookie();
  if (!cookie) throw new Error(`The sign-in was answered with ${answer.status}`);
  return cookie.split(';')[0] ?? '';
}

const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

/**
 * Looks at the pages that most visits begin with, in both languages, at several releases in turns: their times compare,
 * since whatever else the machine does slows all of them.
 * @param folders of the releases, each built
 * @returns the medians of each page at each release
 */
export async function pageTimes(
  folders: readonly string[],
  { rounds }: { rounds: number },
): Promise<Record<string, string | number>[]> {
  const data = await mkdtemp(path.join(tmpdir(), 'clipswap-times-'));
  const running: Running[] = [];
  const browser = await launchBrowser();
  try {
    for (const [i, folder] of folders.entries()) {
      const port = await freePort();
      const program = path.resolve(folder, 'dist/server/start.js');
      const settings = { PORT: String(port), DATA_DIR: path.join(data, String(i)), SEED_DEMO: 'true' };
      running.push(await run(port, [program], '/readyz', settings));
    }
    const cookies = await Promise.all(running.map(signIn));
    const found = new Map<string, PageTimes[]>();
    for (let round = 0; round < rounds; round += 1)
      for (const { path, isMember } of LOOKS)
        for (const [i, { url }] of running.entries()) {
          const key = `${path} ${folders[i]}`;
          const times = await look(browser, url, isMember ? (cookies[i] ?? '') : null, path);
          found.set(key, [...(found.get(key) ?? []), times]);
        }
    return [...found].map(([key, all]) => {
      const of = (name: keyof PageTimes) => Number(median(all.map((times) => times[name])).toFixed(3));
      const [path = '', release = ''] = key.split(' ');
      return {
        path,
        release,
        largestPaintMs: Math.round(of('largestPaintMs')),
        layoutShift: of('layoutShift'),
        longestTaskMs: Math.round(of('longestTaskMs')),
        requests: of('requests'),
        kilobytes: Math.round(of('kilobytes')),
      };
    });
  } finally {
    await browser.close();
    for (const one of running) await one.stop();
    await rm(data, { recursive: true, force: true });
  }
}
