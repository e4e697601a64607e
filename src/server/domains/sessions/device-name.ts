import { t } from '@lingui/core/macro';
import Bowser from 'bowser';

/** Browser names that Bowser knows. For an unknown program Bowser repeats the text that the program sent. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** A name such as 'Firefox on Linux', from the User-Agent header. */
export function deviceName(userAgent: string): string {
  // Bowser throws on an empty string.
  const { browser, os } = Bowser.parse(userAgent || '-');
  const program = browser.name && BROWSERS.has(browser.name) ? browser.name : null;
  if (program && os.name) return t`${program} on ${os.name}`;
  return program ?? os.name ?? t`Unknown device`;
}
