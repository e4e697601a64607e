import Bowser from 'bowser';
import { DEVICE_TEXTS } from '#server/texts/people.ts';
import { textOf } from '#server/texts/reading.ts';
import type { StoredText } from '#server/texts/stored.ts';

/** Browser names that Bowser knows. For an unknown program Bowser repeats the text that the program sent. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** A name such as 'Firefox on Linux', from the User-Agent header. */
export function deviceName(userAgent: string): string {
  return textOf(deviceText(userAgent));
}

/** The same, to be stored. */
export function deviceText(userAgent: string): StoredText {
  // Bowser throws on an empty string.
  const { browser, os } = Bowser.parse(userAgent || '-');
  const program = browser.name && BROWSERS.has(browser.name) ? browser.name : null;
  if (program && os.name) return DEVICE_TEXTS.named({ program, system: os.name });
  const name = program ?? os.name;
  return name === undefined ? DEVICE_TEXTS.unknown() : DEVICE_TEXTS.partly({ name });
}
