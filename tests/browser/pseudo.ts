import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { CURRENCIES } from '#contract/base/money.ts';
import { PSEUDO, speakPseudo } from '../../scripts/build/pseudo.ts';
import { openSite, type Site } from './site.ts';

/** The demo in the pseudo-language, in which texts are 40% longer and have no letter of English. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const VITE = path.join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js');

/** What people write, by the names of its columns. */
const WRITTEN =
  /^(username|email|title|merchant|description|terms|bio|content|message|comment|body|reason|problem|answer|note|moderator_notes|details|text|evidence|url|code|feed|brand|search|receiver_account)$/;

/** All texts of people, longer ones first. */
async function ownTexts({ ctx }: Site): Promise<string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and data_type = 'text'`.execute(ctx.db);
  const texts = new Set<string>();
  for (const { table, column } of columns.filter(({ column }) => WRITTEN.test(column))) {
    const { rows } = await sql<{ text: string }>`
      select distinct ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(column)} ~ '[A-Za-z]{2}'`.execute(
      ctx.db,
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

/**
 * Fails on what a page says that is neither in the catalogue nor people's own.
 * @param own what people wrote, longer texts first
 */
async function expectNoPlainTexts(page: Page, own: readonly string[]): Promise<void> {
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
  const plain = texts.filter((text) => {
    let rest = text.replace(/\s+/g, ' ');
    for (const words of own) {
      if (!LATIN.test(rest)) return false;
      rest = rest.replaceAll(words, '');
    }
    return LATIN.test(rest.replace(NAMES, ''));
  });
  expect(plain, 'texts that are in no catalogue').toEqual([]);
}

/**
 * Builds the pages in the pseudo-language and opens the demo with them. Until it is closed, this process speaks it, too.
 * @returns the site, and a check that fails on what a page says in English that nobody wrote
 */
export async function openPseudoSite(prepare: (site: Site) => Promise<void>) {
  const program = [VITE, 'build', '--mode', PSEUDO, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, program, { cwd: ROOT });
  const site = await openSite({
    withDemo: true,
    host: 'localhost',
    webRoot: path.join(ROOT, 'dist', PSEUDO),
  });
  await prepare(site);
  const own = await ownTexts(site);
  const stopSpeaking = speakPseudo();
  return {
    site,
    expectTranslated: (page: Page) => expectNoPlainTexts(page, own),
    async close() {
      stopSpeaking();
      await site.close();
    },
  };
}
