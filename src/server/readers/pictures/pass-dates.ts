import { z } from 'zod';

/** W3C date and time, whose seconds and offset may be missing. */
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i;

const DAY_MINUTES = 1_440;
/** The clocks of Hawaii and New Zealand are the farthest from Greenwich that many people live by. */
const FARTHEST_WEST = -600;

/** What a pass says about where its shop is: minutes east of Greenwich, of a clock or of the sun; null if nothing. */
export interface PassPlace {
  readonly clock: number | null;
  readonly sun: number | null;
}

/**
 * The last day on which a pass is good, where its shop is. A moment with an offset has its day by that clock. One in UTC
 * only says when the pass ends: its day is that of another clock that the pass names, else of the clock by which a day
 * ends then, since passes end with a day (07:59:59Z is midnight at the Pacific), unless the place of the shop
 * contradicts; else the day in UTC. At 00:00 the last day is the day before.
 */
export function lastDayOf(moment: string | null | undefined, place: PassPlace): string | null {
  const match = MOMENT.exec(moment?.trim() ?? '');
  const [, day = '', hours, minutes, seconds = '00'] = match ?? [];
  if (!z.iso.date().safeParse(day).success) return null;
  if (hours === undefined || minutes === undefined) return day;
  const instant = Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
  if (Number.isNaN(instant)) return hours === '24' ? day : null;
  return dayBefore(instant + shift(match?.[5], instant, place) * 60_000);
}

/** The offset of a moment, in minutes; null for none and for UTC, which is a clock of programs. */
export function offsetOf(moment: string | null | undefined): number | null {
  const zone = MOMENT.exec(moment?.trim() ?? '')?.[5] ?? '';
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (!sign || offset === 0) return null;
  return sign === '-' ? -offset : offset;
}

/** How many minutes the clock of the shop is ahead of the one by which the moment is written. */
function shift(zone: string | undefined, instant: number, { clock, sun }: PassPlace): number {
  const isUtc = zone !== undefined && !/[1-9]/.test(zone);
  if (!isUtc) return 0;
  if (clock !== null) return clock;
  // A day ends at 24:00, or in the minute before; clocks differ by whole or half hours.
  const minutes = Math.ceil(instant / 60_000);
  const end = minutes % 30 === 29 ? minutes + 1 : minutes;
  const isEndOfDay = end % 30 === 0;
  const since = end % DAY_MINUTES;
  const west = -since;
  const east = DAY_MINUTES - since;
  const isNear = (offset: number) => sun === null || Math.abs(offset - sun) <= 210;
  if (isEndOfDay && west >= FARTHEST_WEST && isNear(west)) return west;
  if (isEndOfDay && isNear(east)) return sun === null ? 0 : east;
  return sun === null ? 0 : Math.round(sun / 60) * 60;
}

/** The day of a moment, and the day before at its very beginning. */
function dayBefore(instant: number): string {
  return new Date(instant - 1).toISOString().slice(0, 10);
}
