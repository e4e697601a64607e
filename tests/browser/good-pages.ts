import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';
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
export async function wear(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
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
  otherTheme: 'light' | 'dark',
): Promise<void> {
  const { page, assertNoConsoleErrors } = opened;
  await page.goto(path);
  await settle(opened);
  expect(await page.locator('h1').count(), 'one h1').toBe(1);
  await expectNoLayoutJump(page);
  await expectNoSidewaysScroll(page);
  await expectNoAxeViolations(page);
  await wear(page, otherTheme);
  await expectNoAxeViolations(page, 'color-contrast');
  for (const less of narrower) {
    await page.setViewportSize({ width: less, height });
    // What measures its room itself follows in a moment.
    await vi.waitFor(() => expectNoSidewaysScroll(page), WAIT_MS);
  }
  await page.setViewportSize({ width, height });
  assertNoConsoleErrors(REFUSED.test(path) ? [/40[04]/] : []);
}

/** Names the page that is not as it should be. Each is loaded in the theme in which the one before was left. */
export async function expectGoodPages(
  opened: OpenedPage,
  paths: readonly string[],
  window: Window,
): Promise<void> {
  const findings: string[] = [];
  for (const [index, path] of paths.entries()) {
    await expectGoodPage(opened, path, window, index % 2 === 0 ? 'dark' : 'light').catch((error: Error) => {
      findings.push(`${path}\n${error.message}`);
    });
    opened.problems.length = 0;
  }
  expect(findings.join('\n\n')).toBe('');
}
