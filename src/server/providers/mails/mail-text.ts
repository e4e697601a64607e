import { withoutEnd } from '#server/core/text.ts';
import { readCode } from '../feeds/codes.ts';
import { type Print, readPrint } from '../print/print.ts';
import { printOfText } from '../print/text-print.ts';
import type { MailPart } from './parts.ts';

/** What a mail describes in words. */
export interface ToldCoupon {
  /** '' where it names none. */
  readonly code: string;
  readonly print: Print;
}

/** Reads the text of a mail as that of a coupon. @param today the day on which it is read: '2030-01-01' */
export function readMailText(part: Pick<MailPart, 'content' | 'from'>, today: string): ToldCoupon {
  const lines = linesOfMail(part);
  const read = readCode([], [lines]);
  const code = 'code' in read ? read.code : '';
  return { code, print: readPrint([printOfText(lines)], { today, codes: code === '' ? [] : [code] }) };
}

const FORWARDED =
  /^[-_\s>*]*(?:begin forwarded message|forwarded message|original message|message transféré|message d[’']origine)/i;
const HEADER = /^[\s>*]*(?:from|sent|date|to|cc|subject|reply-to|de|envoyé|à|objet)\s*:/i;
const SENDER = /^[\s>*]*(?:from|de)\s*:/i;

/** The lines of a mail's text that may be of a coupon: first who wrote it, also where it was forwarded. */
function linesOfMail({ content, from }: Pick<MailPart, 'content' | 'from'>): string {
  const lines = content.replace(/https?:\/\/\S+/gi, ' ').split(/\r\n?|\n/);
  const sender = lines.map(senderIn).find((name) => name !== null) ?? from;
  const said = lines
    .map((line) => line.replace(/^[\s>]+/, ''))
    .filter((line) => !FORWARDED.test(line) && !HEADER.test(line));
  return [sender, '', ...said].join('\n');
}

/** The name in such a line as 'From: "Shear Joy" <news@shear.example>'. */
function senderIn(line: string): string | null {
  const [label] = SENDER.exec(line) ?? [];
  if (label === undefined) return null;
  const [given = ''] = line.slice(label.length).split(/[<[]/, 1);
  const name = withoutEnd(given.replace(/^[*\s"]+/, '').trimEnd(), '"').trimEnd();
  return name.length >= 2 && name.length <= 60 && !name.includes('"') ? name : null;
}
