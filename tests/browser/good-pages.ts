import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';
import {
  expectEndAtFooter,
  expectNoAxeViolations,
  expectNoCutLabels,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  expectTouchTargets,
  type OpenedPage,
  untilStill,
} from './harness.ts';
import { expectLook, isRenewing } from './looks.ts';

/** Pages are checked at both; the narrower ones, the narrowest of each layout, are those that they are then drawn to. */
export const WINDOWS = [
  { width: 1280, height: 900, narrower: shortOrLong([1024, 768], [1024, 900, 768]) },
  { width: 390, height: 844, narrower: [320] },
] as const;
type Window = (typeof WINDOWS)[number];

/** The window in which something is loaded, and the one that it is then drawn to. */
export type Windows = readonly [Window, Window];
const [DESKTOP, PHONE] = WINDOWS;
const FROM_DESKTOP: Windows = [DESKTOP, PHONE];
const FROM_PHONE: Windows = [PHONE, DESKTOP];

/**
 * Windows to load something in. The long form loads everything in both; the short form takes them in turn, and draws to
 * the other.
 */
export function windowsFor(turn: number): readonly Windows[] {
  return shortOrLong([turn % 2 === 0 ? FROM_DESKTOP : FROM_PHONE], [FROM_DESKTOP, FROM_PHONE]);
}

/** What depends on the window and the theme more than on the page; all other rules of axe look at a page once. */
const RULES_OF_LOOKS = ['color-contrast', 'target-size'] as const;

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Answered with a refusal on purpose, which the browser notes. */
const REFUSED = /999999|token=|no-such-page/;

/** Waits for the page's heading, its data and its fonts. */
export async function settle({ page, quiet }: OpenedPage): Promise<void> {
  await page.locator('h1').waitFor();
  await quiet();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready);
}

/** Waits until a page shows its theme and its colours have stopped running. */
async function untilThemed(page: Page, colorScheme: Theme): Promise<void> {
  // The application notices the change by itself; on a busy machine not at once. Other pages say nothing of it.
  await page.waitForFunction((scheme) => {
    const shown = document.documentElement.dataset.mantineColorScheme;
    return shown === undefined || shown === scheme;
  }, colorScheme);
  await untilStill(page);
}

/** Changes the window and the theme, and waits until the page has followed and its colours have stopped running. */
async function drawTo(opened: OpenedPage, { width, height }: Window, colorScheme: Theme): Promise<void> {
  const { page } = opened;
  // Both at once: the page is styled and drawn a single time.
  await Promise.all([page.setViewportSize({ width, height }), page.emulateMedia({ colorScheme })]);
  await untilThemed(page, colorScheme);
  // What measures its room itself follows in a moment.
  await vi.waitFor(() => expectNoSidewaysScroll(page), WAIT_MS);
  await settle(opened);
}

/**
 * Compares what is on screen with its kept picture. What is renewed is renewed in both themes.
 * @param theme the one on screen
 */
async function expectKeptLook(opened: OpenedPage, look: string, window: Window, theme: Theme): Promise<void> {
  await expectLook(opened.page, `${look}-${window.width}-${theme}`);
  if (!isRenewing()) return;
  const other = theme === 'light' ? 'dark' : 'light';
  await drawTo(opened, window, other);
  await expectLook(opened.page, `${look}-${window.width}-${other}`);
  await drawTo(opened, window, theme);
}

/**
 * Runs axe on what is on screen: in the short form as it is, in the long form in both windows and themes. Leaves it in
 * the first window in light colours, or as it was.
 * @param look the name of its kept pictures, if it has some
 */
export async function expectGoodState(opened: OpenedPage, windows: Windows, look?: string): Promise<void> {
  const { page } = opened;
  await settle(opened);
  await expectKeyboards(page);
  const check = async (rules?: readonly string[]) => {
    // What the header half covers is too small a target.
    await page.evaluate(() => window.scrollTo(0, 0));
    await expectNoSidewaysScroll(page);
    await expectNoCutLabels(page);
    await expectNoAxeViolations(page, rules);
  };
  if (shortOrLong(!isRenewing(), false)) {
    await check();
    const theme = await page.evaluate(() => document.documentElement.dataset.mantineColorScheme);
    if (look) await expectLook(page, `${look}-${windows[0].width}-${theme}`);
    return;
  }
  for (const view of windows) {
    for (const theme of THEMES) {
      await drawTo(opened, view, theme);
      await check(theme === 'light' ? undefined : RULES_OF_LOOKS);
      if (look) await expectLook(page, `${look}-${view.width}-${theme}`);
    }
  }
  await drawTo(opened, windows[0], 'light');
}

/**
 * Fails on fields that bring the wrong keyboard of a phone: amounts get digits, addresses the @, searches a key that
 * searches; codes and usernames are typed to the letter, and the browser knows which password is meant.
 */
async function expectKeyboards(page: Page): Promise<void> {
  const wrong = await page.evaluate(() => {
    const isExact = (field: HTMLInputElement) => field.autocapitalize === 'none' && !field.spellcheck;
    const rules: [RegExp, string, (field: HTMLInputElement) => boolean][] = [
      [/value|price|amount|your bid|refund/i, 'inputmode', ({ inputMode }) => inputMode === 'decimal'],
      [/e-?mail/i, 'type', ({ type }) => type === 'email'],
      [/^(coupon )?code\b|username/i, 'autocapitalize and spellcheck', isExact],
      [/password/i, 'autocomplete', ({ type, autocomplete }) => type !== 'password' || autocomplete !== ''],
      [/search/i, 'enterkeyhint', ({ enterKeyHint }) => enterKeyHint === 'search'],
    ];
    return [...document.querySelectorAll('input')]
      .filter(({ type, readOnly }) => /text|search|email|password/.test(type) && !readOnly)
      .flatMap((field) => {
        const name = field.ariaLabel ?? field.labels?.[0]?.textContent ?? '';
        return rules
          .filter(([named, , isRight]) => named.test(name) && !isRight(field))
          .map(([, what]) => `${name}: ${what}`);
      });
  });
  expect(wrong, 'keyboards').toEqual([]);
}

/** What is checked on some pages beside the rest. */
interface Checks {
  /** The names of kept pictures, by path. */
  readonly looks?: Readonly<Record<string, string>>;
  readonly expectTranslated?: (page: Page) => Promise<void>;
}

/** @param first the theme in which it is loaded; it is drawn to the other window in the other one */
async function expectGoodPage(
  opened: OpenedPage,
  path: string,
  windows: Windows,
  first: Theme,
  { looks, expectTranslated }: Checks,
): Promise<void> {
  const look = looks?.[path];
  const { page, assertNoConsoleErrors } = opened;
  const second = first === 'light' ? 'dark' : 'light';
  await page.setViewportSize(windows[0]);
  await page.emulateMedia({ colorScheme: first });
  await page.goto(path);
  await settle(opened);
  expect(await page.locator('h1').count(), 'one h1').toBe(1);
  await expectNoLayoutJump(page);
  await expectKeyboards(page);
  await untilThemed(page, first);
  for (const window of windows) {
    const isLoadedIn = window === windows[0];
    if (!isLoadedIn) await drawTo(opened, window, second);
    await expectNoAxeViolations(page, isLoadedIn ? undefined : shortOrLong(RULES_OF_LOOKS, undefined));
    // What measures its room itself follows in a moment.
    await vi.waitFor(async () => {
      await expectNoSidewaysScroll(page);
      await expectEndAtFooter(page);
      await expectNoCutLabels(page);
      if (window === PHONE) await expectTouchTargets(page);
    }, WAIT_MS);
    if (look) await expectKeptLook(opened, look, window, isLoadedIn ? first : second);
    await expectTranslated?.(page);
    for (const width of window.narrower) {
      await page.setViewportSize({ width, height: window.height });
      await vi.waitFor(() => expectNoSidewaysScroll(page), WAIT_MS);
    }
  }
  assertNoConsoleErrors(REFUSED.test(path) ? [/40[04]/] : []);
}

/**
 * Names each page with a fault. The short form loads a page in one window and one theme, in turn, and draws it to the
 * other window in the other theme, where axe runs the rules of looks only; the long form does all of it in every window
 * and theme.
 */
export async function expectGoodPages(
  opened: OpenedPage,
  paths: readonly string[],
  checks: Checks = {},
): Promise<void> {
  const findings: string[] = [];
  for (const [index, path] of paths.entries()) {
    for (const windows of windowsFor(index)) {
      // Every window comes with every theme.
      const turn = Math.floor(index / 2) % 2;
      for (const theme of shortOrLong([THEMES[turn] ?? 'light'], THEMES)) {
        await expectGoodPage(opened, path, windows, theme, checks).catch((error: Error) => {
          findings.push(`${path} from ${windows[0].width} px, ${theme}\n${error.message}`);
        });
        opened.problems.length = 0;
      }
    }
    // The next address must not begin here.
    await opened.page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  }
  expect(findings.join('\n\n')).toBe('');
}

/** Fails on a page in French that has no room for its words on a phone. */
export async function expectRoomForFrench(opened: OpenedPage, paths: readonly string[]): Promise<void> {
  const { page } = opened;
  for (const path of paths) {
    await page.setViewportSize(PHONE);
    await page.goto(`/fr${path}`);
    await settle(opened);
    for (const width of [PHONE.width, ...PHONE.narrower]) {
      await page.setViewportSize({ width, height: PHONE.height });
      await expectNoCutLabels(page);
      await expectNoSidewaysScroll(page);
    }
  }
  opened.assertNoConsoleErrors();
}
