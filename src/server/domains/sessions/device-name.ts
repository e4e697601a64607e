import Bowser from 'bowser';

/** What bowser knows; of a program that it does not it repeats whatever that calls itself. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** 'Firefox on Linux', from what a browser calls itself. */
export function deviceName(userAgent: string): string {
  // Bowser refuses to read nothing.
  const { browser, os } = Bowser.parse(userAgent || '-');
  const program = browser.name && BROWSERS.has(browser.name) ? browser.name : null;
  if (program && os.name) return `${program} on ${os.name}`;
  return program ?? os.name ?? 'Unknown device';
}
