/** Years further ahead or behind than this belong to another century (GS1 General Specifications 7.12). */
const YEARS_AHEAD = 50;
const YEARS_BEHIND = 49;

/**
 * A day of a GS1 code, six digits YYMMDD, as `YYYY-MM-DD`; null if there is no such day. The century is the one that
 * puts the year from 49 before the year of `now` to 50 after it.
 */
export function readGs1Day(digits: string, now: Date): string | null {
  const [years, month, day] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4)].map(Number);
  if (years === undefined || month === undefined || day === undefined) return null;
  const thisYear = now.getUTCFullYear();
  let year = thisYear - (thisYear % 100) + years;
  if (year > thisYear + YEARS_AHEAD) year -= 100;
  if (year < thisYear - YEARS_BEHIND) year += 100;
  const date = new Date(Date.UTC(year, month - 1, day));
  // The 31st of June is the 1st of July to JavaScript, and a mistake to everybody else.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return date.toISOString().slice(0, 10);
}
