/** Something that takes a whole day. */
export interface DayEvent {
  /** The same for the same thing in every version of the calendar, and nowhere else in the world. */
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly title: string;
  readonly text: string;
  readonly changedAt: Date;
}

/** The most bytes on a line, without its end. */
const LINE_BYTES = 75;

/** A text as a value (RFC 5545, 3.3.11). */
function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

/** Breaks a long line between two characters; the next one begins with a space (RFC 5545, 3.1). */
function fold(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const more = Buffer.byteLength(character);
    if (bytes + more > LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += more;
  }
  return folded;
}

const inDigits = (text: string) => text.replace(/[-:]|\.\d+/g, '');

/** A calendar needs a part, and one without days has none: the zone in which nothing happens (RFC 5545, 3.6). */
const NO_DAYS = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** A calendar of days as a text of iCalendar (RFC 5545). Its programs show them as free time. */
export function writeCalendar(name: string, events: readonly DayEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(name)}//Coupons//EN`,
    // No standard has it, and every program reads it.
    `X-WR-CALNAME:${escapeText(name)}`,
    ...events.flatMap(({ id, day, title, text, changedAt }) => [
      'BEGIN:VEVENT',
      `UID:${id}`,
      `DTSTAMP:${inDigits(changedAt.toISOString())}`,
      `DTSTART;VALUE=DATE:${inDigits(day)}`,
      `SUMMARY:${escapeText(title)}`,
      `DESCRIPTION:${escapeText(text)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    ...(events.length === 0 ? NO_DAYS : []),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}
