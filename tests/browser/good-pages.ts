import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';
import { shortOrLong } from '#server/testing/rounds.ts';
import {
  expectNoAxeViolations,
  expectNoLayoutJump,
  expectNoSidewaysScroll,
  type OpenedPage,
} from './harness.ts';

/** A page is loaded once at each of these; the narrower windows are those that it is then drawn to. */
export const WINDOWS = [
  { width: 1280, height: 900, narrower: [1024, 900, 768] },
  { width: 390, height: 844, narrower: [320] },
] as const;

type Window = (typeof WINDOWS)[number];

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

/** Changes the theme under the page, and waits until its colours have stopped running. */
export async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async () => {
    // A window that is not drawn has no frames.
    const frame = () =>
      Promise.race([new Promise(requestAnimationFrame), new Promise((resolve) => setTimeout(resolve, 100))]);
    const ending = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    // They begin with the next frame at the earliest.
    await frame();
    await frame();
    // A few frames more than the longest of them takes; one that is held up in the background never ends.
    for (let turn = 0; turn < 60 && ending().length > 0; turn += 1) await frame();
  });
}

async function expectGoodPage(
  opened: OpenedPage,
  path: string,
  { width, height, narrower }: Window,
  otherTheme?: Theme,
): Promise<void> {
  const { page, assertNoConsoleErrors } = opened;
  await page.goto(path);
  await settle(opened);
  expect(await page.locator('h1').count(), 'one h1').toBe(1);
  await expectNoLayoutJump(page);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  if (otherTheme) {
    await setTheme(page, otherTheme);
    await expectNoAxeViolations(page, 'color-contrast');
  }
  for (const less of narrower) {
    await page.setViewportSize({ width: less, height });
    // What measures its room itself follows in a moment.
    await vi.waitFor(() => expectNoSidewaysScroll(page), WAIT_MS);
  }
  await page.setViewportSize({ width, height });
  assertNoConsoleErrors(REFUSED.test(path) ? [/40[04]/] : []);
}

/**
 * Names each page with a fault. The short form checks a page in one theme at each width, in turn; the long form checks
 * the contrast in the other theme, too.
 */
export async function expectGoodPages(
  opened: OpenedPage,
  paths: readonly string[],
  window: Window,
): Promise<void> {
  const findings: string[] = [];
  const atWidth = WINDOWS.findIndex(({ width }) => width === window.width);
  for (const [index, path] of paths.entries()) {
    const [theme, other] = (index + atWidth) % 2 === 0 ? THEMES : THEMES.toReversed();
    await opened.page.emulateMedia({ colorScheme: theme ?? null });
    await expectGoodPage(opened, path, window, shortOrLong(undefined, other)).catch((error: Error) => {
      findings.push(`${path}\n${error.message}`);
    });
    opened.problems.length = 0;
  }
  expect(findings.join('\n\n')).toBe('');
}
