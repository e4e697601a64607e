import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { WAIT_MS } from '#tests/support/patience.ts';
import type { Act } from './journeys/acts.ts';

/** What pages do when the network goes, and when it comes back. */

const ASSETS = path.resolve(import.meta.dirname, '../../dist/web/assets');

/** The sentences for what cannot be sent and for what cannot be loaded. */
export const SAID =
  /^(Network error\. Please check your connection and try again|You are offline\. We load this when you are back online)\./;

/** A step of a journey. */
export interface Step {
  /** Goes there; without it the step goes on from the one before. */
  readonly ready?: Act;
  readonly act: Act;
  /** What a page without the network then says, if it is not `SAID`. */
  readonly said?: RegExp;
  /** What shows that it was done once the network is back. */
  readonly done: string | RegExp | Act;
  /** Whether it is done by itself then; else it is tried again. */
  readonly isByItself?: boolean;
  /** How it is tried again, if not as before. */
  readonly again?: Act;
}

/**
 * Loads all code of the application ahead, into the cache of the browser: what fails without the network then is the
 * data alone.
 */
export async function loadAllCode(page: Page): Promise<void> {
  const names = (await readdir(ASSETS)).filter((name) => /\.(js|css)$/.test(name));
  await page.evaluate(
    (files) => Promise.all(files.map(async (name) => (await fetch(`/assets/${name}`)).blob())),
    names,
  );
}

/** Cuts or restores the network, and waits until the page knows. */
export async function setOffline(page: Page, isOffline: boolean): Promise<void> {
  await page.context().setOffline(isOffline);
  const hint = page.getByText(/^You are offline\..* We will update/);
  await hint.waitFor({ state: isOffline ? 'visible' : 'detached' });
}

/** Whatever says that something is under way. */
const WAITING = [
  '[aria-busy="true"]',
  '[data-loading="true"]',
  '.mantine-Skeleton-root',
  '.mantine-Loader-root',
  '[role="status"]:text-matches("^Loading|…$")',
  ':text-is("Loading the page")',
].join();

/** Fails while something on the page says that it waits. */
export async function expectNothingWaits(page: Page): Promise<void> {
  const waiting = page.locator(WAITING).filter({ visible: true });
  const found = () =>
    waiting.evaluateAll((elements) => elements.map(({ outerHTML }) => outerHTML.slice(0, 200)));
  await vi.waitFor(async () => expect(await found()).toEqual([]), WAIT_MS);
}

/** What is typed and chosen on the page, field by field. */
function typedOn(page: Page): Promise<string[]> {
  return page.locator('input:not([type=file]), textarea, select').evaluateAll((fields) =>
    fields.map((field) => {
      if (field instanceof HTMLInputElement && /radio|checkbox/.test(field.type))
        return String(field.checked);
      return String(Reflect.get(field, 'value'));
    }),
  );
}

/** Takes away what was said before: toasts can lie on what is pressed next. */
const closeToasts = (page: Page) =>
  page
    .getByRole('button', { name: 'Dismiss', exact: true })
    .evaluateAll((buttons) => buttons.forEach((button) => void (button as HTMLElement).click()));

const says = (page: Page, words: string | RegExp) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();

/** Tries a step without the network, then does it with the network, without loading the page again. */
export async function walk(
  page: Page,
  { ready, act, said = SAID, done, isByItself, again }: Step,
): Promise<void> {
  await ready?.(page);
  await expectNothingWaits(page);
  await closeToasts(page);
  await page.getByText(said).filter({ visible: true }).first().waitFor({ state: 'detached' });
  await setOffline(page, true);
  const typed = await typedOn(page);
  await act(page);
  await says(page, said);
  await expectNothingWaits(page);
  await setOffline(page, false);
  if (again) await again(page);
  else if (!isByItself) {
    expect(await typedOn(page)).toEqual(typed);
    await closeToasts(page);
    await act(page);
  }
  if (typeof done === 'function') await done(page);
  else await says(page, done);
}
