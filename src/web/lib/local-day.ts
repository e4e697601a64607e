/** The calendar day of an instant where the browser is, `YYYY-MM-DD`. */
export function localDay(instant: Date): string {
  const part = (value: number, length: number) => String(value).padStart(length, '0');
  return [part(instant.getFullYear(), 4), part(instant.getMonth() + 1, 2), part(instant.getDate(), 2)].join(
    '-',
  );
}

/** When a day ends where the browser is; null if the text is no day. */
export function endOfLocalDay(day: string): string | null {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** The browser's time zone, such as America/Vancouver; undefined if it does not know it. */
export function localTimeZone(): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? undefined : timeZone;
}
