import { locale } from '#contract/base/i18n.ts';

/**
 * Which number comes first where people of a locale write a date with slashes. Where its own dates begin with the year, as
 * in Canada, its language decides.
 */
export function dateOrderOf(of: string = locale()): 'dayFirst' | 'monthFirst' {
  const typesIn = (name: string) =>
    new Intl.DateTimeFormat(name, { dateStyle: 'short' }).formatToParts(0).map(({ type }) => type);
  const [types, general] = [typesIn(of), typesIn(new Intl.Locale(of).language)];
  const decisive = types.indexOf('year') < types.indexOf('day') ? general : types;
  return decisive.indexOf('day') < decisive.indexOf('month') ? 'dayFirst' : 'monthFirst';
}
