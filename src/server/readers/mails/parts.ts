import type { Attachment, Email } from 'postal-mime';
import { z } from 'zod';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { seenText } from '#server/core/text.ts';
import { plainText, shortened } from '../feeds/text.ts';

/** What is read of one mail, together with the mails that are files of it: more files are left out. */
export const FILES_MAX = 10;

/** The text of a longer mail is cut. In characters. */
const TEXT_MAX = 50_000;
const LINE_MAX = 200;
const NAME_MAX = 80;

/** A file of a mail, or its text, as it waits to be read. */
export const mailPartSchema = z.object({
  kind: z.enum(['picture', 'document', 'csv', 'workbook', 'text']),
  /** A text, or a file in base64. */
  content: z.string(),
  /** A text as the mail has it in HTML, '' where it has it in one form. */
  html: z.string().default(''),
  /** Whether it stands within the text: it may be a logo. */
  isInline: z.boolean(),
  /** Its mail: '/' is the one that came, '/0/' the first mail that is a file of it. */
  path: z.string().default('/'),
  /** Of a file, '' where it has none. */
  name: z.string().default(''),
  from: z.string(),
  subject: z.string(),
});
export type MailPart = z.output<typeof mailPartSchema>;

/** A mail that was parsed. */
export interface Message {
  readonly path: string;
  readonly email: Email;
  readonly files: readonly Attachment[];
  /** What its HTML says, '' without one. */
  readonly html: string;
}

type FileKind = Exclude<MailPart['kind'], 'text'>;

/** By the end of the name, or else the type. */
const KINDS: readonly [kind: FileKind, name: RegExp, type: RegExp][] = [
  ['document', /\.(?:pdf|pkpasses)$/i, /^application\/(?:pdf|vnd\.apple\.pkpasses)$/],
  ['picture', /\.(?:jpe?g|png|webp|gif|avif|hei[cf])$/i, /^image\/(?!svg)/],
  ['picture', /\.pkpass$/i, /^application\/vnd\.apple\.pkpass$/],
  ['csv', /\.(?:csv|tsv)$/i, /^text\/(?:csv|tab-separated-values)$/],
  ['workbook', /\.xlsx$/i, /spreadsheetml\.sheet$/],
];
/** How Outlook packs files for itself. */
const WINMAIL = /^application\/(?:vnd\.)?ms-tnef$/;
/** They say who wrote the mail. */
const SIGNATURES = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/;

function kindOf({ filename, mimeType }: Attachment): FileKind | undefined {
  const named = KINDS.find(([, name]) => name.test(filename ?? ''));
  return (named ?? KINDS.find(([, , type]) => type.test(mimeType)))?.[0];
}

/** The names and lines of a mail as plain text on one line. */
const lineOf = (text = '') => shortened(plainText(text), LINE_MAX);

/** What a file is called, for people. */
export const fileName = ({ filename, mimeType }: Attachment) =>
  shortened(plainText(filename ?? ''), NAME_MAX) || shortened(plainText(mimeType), NAME_MAX);

/**
 * What counts of mails, in the order in which it is read: of each mail its files, first those that do not stand within the
 * text, and then the text.
 */
export function partsOf(messages: readonly Message[]): { parts: MailPart[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const parts: MailPart[] = [];
  let room = FILES_MAX;
  let beyond = 0;
  for (const message of messages) {
    const { path, email, files } = message;
    const source = {
      path,
      from: lineOf(email.from?.name || email.from?.address),
      subject: lineOf(email.subject),
    };
    for (const file of files.toSorted((a, b) => Number(isInline(a)) - Number(isInline(b)))) {
      const kind = kindOf(file);
      const name = fileName(file);
      if (kind === undefined) leftOut.push(...unreadable(file, name));
      else if (room > 0) {
        parts.push({ ...source, kind, name, html: '', isInline: isInline(file), content: contentOf(file) });
        room -= 1;
      } else if (kind !== 'picture' || !isInline(file)) beyond += 1;
    }
    const [text, html] = [email.text ?? '', message.html].map((words) => seenText(words).trim());
    const [content = '', other = ''] = [...new Set([text, html])].filter(Boolean);
    if (Math.max(content.length, other.length) > TEXT_MAX) leftOut.push({ what: 'text' });
    if (content !== '')
      parts.push({
        ...{ ...source, kind: 'text', name: '', isInline: false },
        ...{ content: content.slice(0, TEXT_MAX), html: other.slice(0, TEXT_MAX) },
      });
  }
  if (beyond > 0) leftOut.push({ what: 'files', count: beyond });
  return { parts, leftOut };
}

const isInline = ({ disposition }: Attachment) => disposition !== 'attachment';

/** What is said of a file of another type; nothing of a part of the mail's text. */
function unreadable(file: Attachment, name: string): LeftOut[] {
  if (WINMAIL.test(file.mimeType) || /^winmail\.dat$/i.test(file.filename ?? ''))
    return [{ what: 'file', name, why: 'winmail' }];
  const isOfText = isInline(file) && (file.filename === null || /^image\//.test(file.mimeType));
  return isOfText || SIGNATURES.test(file.mimeType) ? [] : [{ what: 'file', name, why: 'type' }];
}

function contentOf({ content }: Attachment): string {
  if (typeof content === 'string') return content;
  return Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content).toString('base64');
}
