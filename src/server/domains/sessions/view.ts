import Bowser from 'bowser';
import type { DeviceSession } from '#contract/accounts.ts';
import type { SessionRow } from './store.ts';

/** A session as its owner sees it: neither its token nor the hash of it. */
export function toDeviceSession(row: SessionRow): DeviceSession {
  return {
    id: row.number,
    isCurrent: row.isCurrent,
    device: deviceName(row.userAgent),
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
  };
}

/** What bowser knows; of a program that it does not it repeats whatever that calls itself. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** 'Firefox on Linux', from what a browser calls itself. */
function deviceName(userAgent: string): string {
  // Bowser refuses to read nothing.
  const { browser, os } = Bowser.parse(userAgent || '-');
  const program = browser.name && BROWSERS.has(browser.name) ? browser.name : null;
  if (program && os.name) return `${program} on ${os.name}`;
  return program ?? os.name ?? 'Unknown device';
}
