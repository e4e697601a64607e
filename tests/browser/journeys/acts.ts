import type { Page } from 'playwright-core';

/** What somebody does on a page, in a word each. */

export type Act = (page: Page) => Promise<unknown>;

/** One after the other. */
export const all =
  (...acts: readonly Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page);
  };

/** Loads a page. */
export const go =
  (path: string): Act =>
  (page) =>
    page.goto(path);

/** Goes to another page of the application, as a link would. */
export const follow =
  (path: string): Act =>
  (page) =>
    page.evaluate(async (address) => {
      history.pushState({}, '', address);
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
      // It has begun then.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }, path);

const named = (page: Page, name: string | RegExp, role: 'button' | 'tab' = 'button') =>
  page.getByRole(role, { name }).filter({ visible: true });

/** Presses the last button of this name, which is that of the dialog on top. */
export const press =
  (name: string | RegExp, role?: 'button' | 'tab'): Act =>
  (page) =>
    named(page, name, role).last().click();

export const pressFirst =
  (name: string | RegExp): Act =>
  (page) =>
    named(page, name).first().click();

export const fill =
  (label: string | RegExp, text: string): Act =>
  (page) =>
    page.getByLabel(label).filter({ visible: true }).last().fill(text);

export const check =
  (label: string | RegExp): Act =>
  (page) =>
    page.getByLabel(label).last().check({ force: true });

/** Waits for a dialog. */
export const dialog =
  (name: string | RegExp): Act =>
  (page) =>
    page.getByRole('dialog', { name }).waitFor();

/** Chooses a picture. */
export const choose =
  (field: string | RegExp, picture: () => Promise<Buffer>): Act =>
  async (page) =>
    page
      .getByLabel(field)
      .last()
      .setInputFiles({ name: 'picture.png', mimeType: 'image/png', buffer: await picture() });
