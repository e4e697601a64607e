import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';
import { WAIT_MS } from '#tests/support/patience.ts';

/** What somebody without a mouse does. */

/** More than any page has controls. */
const MOST_PRESSES = 120;

/**
 * Goes to a control. Fails when the key does not lead there, and when the control does not show on the screen that it has
 * the focus.
 */
export async function goTo(
  page: Page,
  target: Locator,
  key: 'Tab' | 'ArrowDown' | 'ArrowRight' = 'Tab',
): Promise<void> {
  const control = target.first();
  await control.waitFor({ state: 'attached' });
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    if (await isFocused(control)) {
      if (await isFocusSeen(control)) return;
      throw new Error(`The focus is not seen on ${target}`);
    }
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${target}`);
}

/** Goes to a control, and presses it. */
export async function press(page: Page, target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await goTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to a field, and types. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await goTo(page, field);
  await page.keyboard.type(text);
}

/** Waits until the focus is on a control, as after a dialog has closed. */
export async function expectFocus(control: Locator): Promise<void> {
  await vi.waitFor(async () => {
    if (!(await isFocused(control))) throw new Error(`The focus is not on ${control}`);
  }, WAIT_MS);
}

const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

/** Whether the control is on the screen, with an outline of its own or of what is drawn for it; fields have an edge. */
function isFocusSeen(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const drawn = [element, element.nextElementSibling, element.parentElement];
    const isOutlined = drawn.some((each) => each && getComputedStyle(each).outlineStyle !== 'none');
    const isField = element.matches('input:not([type=radio], [type=checkbox]), textarea');
    return (
      bottom > 0 && top < window.innerHeight && element.matches(':focus-visible') && (isOutlined || isField)
    );
  });
}
