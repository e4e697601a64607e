import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { decodeHTML } from 'entities';
import type { FirstLook, RenderPage } from '#contract/base/first-answers.ts';
import { language } from '#contract/base/i18n.ts';
import { PAGES, type WebPage } from '#contract/base/pages.ts';

/** The pages that visitors get with their first look: where visits begin that come from search engines and shared links. */
export const RENDERED: ReadonlySet<WebPage> = new Set([
  PAGES.home,
  PAGES.coupon,
  PAGES.merchant,
  PAGES.howItWorks,
  PAGES.terms,
  PAGES.privacyPolicy,
  PAGES.acceptableUsePolicy,
  PAGES.risks,
  PAGES.openBooks,
  PAGES.proofs,
  PAGES.developers,
]);

/** A rendered page. */
export interface RenderedLook {
  readonly html: string;
  /** The styles of its single elements. */
  readonly css: string;
}

/**
 * Puts the styles of single elements into a style sheet, since the Content-Security-Policy allows none in HTML. The
 * browser's scripts put them back where they were. In texts and values React writes quotation marks as entities.
 */
function withoutStyles(rendered: string): RenderedLook {
  const rules = new Map<string, string>();
  const html = rendered.replace(/ style="([^"]*)"/g, (_found, written: string) => {
    const style = decodeHTML(written);
    // The id makes them stronger than those of classes.
    if (!/[<>{}\\]/.test(style))
      rules.set(style, `[data-style="${style.replaceAll('"', '\\"')}"]:not(#none){${style}}`);
    return ` data-style="${written}"`;
  });
  return { html, css: [...rules.values()].join('') };
}

/**
 * Renders first looks with what the build has put beside the web application.
 * @param webRoot the folder of the built web application
 * @returns the page in the language that is spoken; null where the build has no such part
 */
export function openFirstLooks(webRoot: string): (look: FirstLook) => Promise<RenderedLook | null> {
  return async (look) => {
    const file = path.join(`${webRoot}-render`, language(), 'entry-server.js');
    if (!existsSync(file)) return null;
    const { renderPage }: { renderPage: RenderPage } = await import(pathToFileURL(file).href);
    return withoutStyles(await renderPage(look));
  };
}
