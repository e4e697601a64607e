import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CURRENCIES } from '#contract/money.ts';
import type { Actor } from '#server/domains/context.ts';
import { createUser } from '#server/testing/builders.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import { PSEUDO, speakPseudo } from '../../scripts/pseudo.ts';
import { settle } from './good-pages.ts';
import { closePages, expectNoSidewaysScroll, type OpenedPage, openPage, sharedBrowser } from './harness.ts';
import {
  ADMIN_PAGES,
  busiestMember,
  DIALOGS,
  insertPurchases,
  MEMBER_PAGES,
  MEMBER_TWINS,
  PUBLIC_PAGES,
  TWINS,
} from './page-lists.ts';
import { openSite, type Site, signIn } from './site.ts';

/**
 * Every page and the dialogs with an address, in the pseudo-language: what people have not written themselves has no
 * letter of English, and texts that are 40% longer fit on a phone.
 */

const ROOT = path.resolve(import.meta.dirname, '../..');
const VITE = path.join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');
const PHONE = { width: 390, height: 844 };

let site: Site;
let browser: Browser;
let member: Actor;
let admin: Actor;
let purchases: Awaited<ReturnType<typeof insertPurchases>>;
let own: readonly string[];
let stopSpeaking = () => {};

beforeAll(async () => {
  const program = [VITE, 'build', '--mode', PSEUDO, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, program, { cwd: ROOT });
  site = await openSite({ withDemo: true, host: 'localhost', webRoot: path.join(ROOT, 'dist', PSEUDO) });
  browser = await sharedBrowser();
  member = await busiestMember(site);
  admin = await createUser(site.ctx, { role: 'admin' });
  purchases = await insertPurchases(site, member);
  own = await ownTexts();
  stopSpeaking = speakPseudo();
});
afterAll(async () => {
  stopSpeaking();
  await closePages();
  await site?.close();
});

/** What people write, by the names of its columns. */
const WRITTEN =
  /^(username|email|title|merchant|description|terms|bio|content|message|comment|body|reason|problem|answer|note|moderator_notes|details|text|evidence|url|code|feed|brand|search|receiver_account)$/;

/** All texts of people, longer ones first. */
async function ownTexts(): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`.execute(site.ctx.db);
  const texts = new Set<string>();
  for (const { table, column } of columns.filter(({ column }) => WRITTEN.test(column))) {
    const { rows } = await sql<{ text: string }>`
      select distinct ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} ~ '[A-Za-z]{2}'`.execute(
      site.ctx.db,
    );
    for (const { text } of rows) texts.add(text.replace(/\s+/g, ' ').trim());
  }
  return [...texts].sort((one, other) => other.length - one.length);
}

const LATIN = /[a-z]{2}/i;
/** Names, codes of currencies, and addresses. */
const NAMES = new RegExp(
  `\\b(ClipSwap|PayPal|Stripe|Visa|UTC|${CURRENCIES.join('|')})\\b|[\\w.-]+@[\\w.-]+|https?://\\S+|localhost:\\d+`,
  'g',
);

/** What the page says that is neither in the catalogue nor people's own. */
async function plainTexts(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const NAMED = ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'];
    const isSaid = (element: Element) =>
      !element.closest('script, style, noscript, code, [translate="no"], [lang]:not(html)') &&
      // The initials of a merchant.
      !(element.ariaHidden === 'true' && /^[A-Z]{2}$/.test(element.textContent ?? '')) &&
      (element.checkVisibility() || element.localName === 'option');
    const said = [document.title];
    for (const element of document.body.querySelectorAll('*')) {
      if (!isSaid(element)) continue;
      said.push(...NAMED.map((name) => element.getAttribute(name) ?? ''));
      for (const { nodeType, textContent } of element.childNodes)
        if (nodeType === Node.TEXT_NODE) said.push(textContent ?? '');
    }
    return [...new Set(said)];
  });
  return texts.filter((text) => {
    let rest = text.replace(/\s+/g, ' ');
    for (const words of own) {
      if (!LATIN.test(rest)) return false;
      rest = rest.replaceAll(words, '');
    }
    return LATIN.test(rest.replace(NAMES, ''));
  });
}

/** Checks what is on screen. */
async function check(opened: OpenedPage, where: string): Promise<string[]> {
  const found = (await plainTexts(opened.page)).map((text) => `${where}: ${text}`);
  await expectNoSidewaysScroll(opened.page).catch((error: Error) => found.push(`${where}: ${error.message}`));
  return found;
}

async function walk(who: Actor | null, paths: readonly string[]): Promise<void> {
  const opened = await openPage(browser, { ...PHONE, baseUrl: site.baseUrl, time: site.ctx.clock() });
  const { page, context } = opened;
  if (who) await signIn(site, context, who);
  const found: string[] = [];
  for (const address of paths) {
    await page.goto(address);
    await settle(opened);
    if (DIALOGS.some(([dialog]) => dialog === address)) await page.getByRole('dialog').waitFor();
    found.push(...(await check(opened, address)));
  }
  await context.close();
  expect(found.join('\n')).toBe('');
}

it('every page of a visitor', () => walk(null, [...PUBLIC_PAGES, ...shortOrLong([], TWINS)]));

it('every page of a member', () =>
  walk(member, [
    ...MEMBER_PAGES,
    ...Object.values(purchases),
    ...DIALOGS.map(([address]) => address),
    ...shortOrLong([], MEMBER_TWINS),
  ]));

it('every page of an admin', () => walk(admin, ADMIN_PAGES));
