import { readdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOOK_BUDGET, SCRIPT_BUDGET, STYLE_BUDGET, weighHome } from '../../scripts/build/page-weight.ts';
import { closePages, openPage, sharedBrowser } from './harness.ts';
import { busiestMember } from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

const ROOT = path.resolve(import.meta.dirname, '../../dist/web');

it.each(['', 'fr'])('what Home needs before its first coupon stays within its budget (%s)', (language) => {
  const { scriptBytes, scripts, styleBytes } = weighHome(path.join(ROOT, language));
  expect(scripts.length).toBeGreaterThan(2);
  expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET);
  expect(styleBytes).toBeLessThanOrEqual(STYLE_BUDGET);
});

/** The class names of Mantine's components in some of the built files. */
function mantineClasses(files: readonly string[]): ReadonlySet<string> {
  const texts = files.map((file) => readFileSync(path.join(ROOT, 'assets', file), 'utf8'));
  return new Set(texts.join('\n').match(/\bm_[0-9a-f]+\b/g));
}

it('every Mantine component comes with its styles', () => {
  const files = readdirSync(path.join(ROOT, 'assets'));
  const { scripts, styles } = weighHome(ROOT);
  const used = mantineClasses(files.filter((file) => file.endsWith('.js')));
  const styled = mantineClasses(files.filter((file) => file.endsWith('.css')));
  const usedFirst = mantineClasses(scripts.map(({ file }) => file));
  const styledFirst = mantineClasses(styles);
  expect(used.size).toBeGreaterThan(usedFirst.size);
  expect([...used].filter((name) => !styled.has(name))).toEqual([]);
  expect([...usedFirst].filter((name) => !styledFirst.has(name))).toEqual([]);
});

describe('an untouched look', () => {
  let site: Site;
  const connections: Socket[] = [];
  const asked: string[] = [];
  beforeAll(async () => {
    site = await openSite({ withDemo: true });
    site.app.server.on('connection', (connection) => connections.push(connection));
    site.app.server.on('request', ({ url = '' }) => asked.push(url));
  });
  afterAll(async () => {
    await closePages();
    await site?.close();
  });

  it.each(
    ['', '/fr'].flatMap((prefix) => [
      { path: `${prefix}/`, isMember: false },
      { path: `${prefix}/coupons/1`, isMember: false },
      { path: `${prefix}/coupons/1`, isMember: true },
      { path: `${prefix}/my-coupons`, isMember: true },
    ]),
  )('at $path stays within its budget (member: $isMember)', async ({ path: address, isMember }) => {
    const { page, context, quiet } = await openPage(await sharedBrowser(), {
      ...{ baseUrl: site.baseUrl, width: 390, height: 844 },
      ...{ loadsWhenIdle: true, time: site.ctx.clock() },
    });
    if (isMember) await signIn(site, context, await busiestMember(site));
    connections.length = 0;
    asked.length = 0;
    await page.goto(address);
    // The last thing that a page does by itself.
    await page.waitForFunction(() => localStorage.getItem('clipswap.answers'));
    await quiet();
    const bytes = connections.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
    await context.close();
    expect(asked.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(2);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(LOOK_BUDGET.requests);
    expect(bytes, asked.join('\n')).toBeLessThanOrEqual(LOOK_BUDGET.bytes);
  });
});
