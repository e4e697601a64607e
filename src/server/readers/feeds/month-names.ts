/** The languages of names of months and of days of the week. The "listopad" of Croatian is another month in Polish. */
const LANGUAGES = 'en de fr es it nl pl pt sv da nb fi cs tr ru uk bg ro hu sk sl el ca lt lv et id'.split(
  ' ',
);

interface Names {
  readonly months: ReadonlyMap<string, number>;
  readonly weekdays: ReadonlySet<string>;
}

let names: Names | null = null;

/** The number of a month by its name, long or short, in any of the languages; null for another word. */
export function monthOf(word: string): number | null {
  names ??= readNames();
  return names.months.get(folded(word)) ?? null;
}

/** The parts of a date without the day of the week in front. */
export function withoutWeekday(parts: readonly string[]): readonly string[] {
  names ??= readNames();
  const [first = '', ...rest] = parts;
  return parts.length > 3 && names.weekdays.has(folded(first)) ? rest : parts;
}

function readNames(): Names {
  const months = new Map<string, number>([['sept', 9]]);
  const weekdays = new Set<string>();
  for (const language of LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      // With a day beside it some languages decline the month.
      for (const day of [{}, { day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC', ...day });
        for (let month = 1; month <= 12; month += 1) {
          const parts = format.formatToParts(Date.UTC(2026, month - 1, 15));
          const name = folded(parts.find(({ type }) => type === 'month')?.value ?? '');
          // The first language with a name keeps it; numbers are no names.
          if (/\p{L}/u.test(name) && !months.has(name)) months.set(name, month);
        }
      }
      const format = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
      for (let day = 1; day <= 7; day += 1) weekdays.add(folded(format.format(Date.UTC(2026, 0, day))));
    }
  }
  return { months, weekdays };
}

/** In small letters, without accents and dots. */
function folded(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[\p{M}.]/gu, '');
}
