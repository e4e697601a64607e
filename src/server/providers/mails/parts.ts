import type { Attachment, Email } from 'postal-mime';
import { z } from 'zod';
import { plainText, shortened } from '../feeds/text.ts';

/** What is read of one mail: more files are left out. */
const FILES_MAX = 10;

/** The text of a longer mail is cut. In characters. */
const TEXT_MAX = 50_000;
const LINE_MAX = 200;

/** A file of a mail, or its text, as it waits to be read. */
export const mailPartSchema = z.object({
  kind: z.enum(['picture', 'document', 'csv', 'workbook', 'text']),
  /** A text, or a file in base64. */
  content: z.string(),
  /** Whether it stands within the text: it may be a logo. */
  isInline: z.boolean(),
  from: z.string(),
  subject: z.string(),
});
export type MailPart = z.output<typeof mailPartSchema>;

type FileKind = Exclude<MailPart['kind'], 'text'>;

/** By the end of the name, or else the type. */
const KINDS: readonly [kind: FileKind, name: RegExp, type: RegExp][] = [
  ['document', /\.pdf$/i, /^application\/pdf$/],
  ['picture', /\.(?:jpe?g|png|webp|gif|avif|hei[cf])$/i, /^image\/(?!svg)/],
  ['picture', /\.pkpass$/i, /^application\/vnd\.apple\.pkpass$/],
  ['csv', /\.(?:csv|tsv)$/i, /^text\/(?:csv|tab-separated-values)$/],
  ['workbook', /\.xlsx$/i, /spreadsheetml\.sheet$/],
];

function kindOf({ filename, mimeType }: Attachment): FileKind | undefined {
  const named = KINDS.find(([, name]) => name.test(filename ?? ''));
  return (named ?? KINDS.find(([, , type]) => type.test(mimeType)))?.[0];
}

/** The names and lines of a mail as plain text on one line. */
const lineOf = (text = '') => shortened(plainText(text), LINE_MAX);

/**
 * What counts of a mail, in the order in which it is read: its files, first those that do not stand within the text, and
 * then the text.
 * @param text of the mail, also where it only has HTML
 */
export function partsOf(email: Email, text: string): MailPart[] {
  const { from: sender } = email;
  const source = {
    from: lineOf(sender?.name || sender?.address),
    subject: lineOf(email.subject),
  };
  const files = email.attachments.flatMap((file): MailPart[] => {
    const kind = kindOf(file);
    const isInline = file.disposition !== 'attachment';
    return kind ? [{ ...source, kind, isInline, content: contentOf(file) }] : [];
  });
  const first = files.toSorted((a, b) => Number(a.isInline) - Number(b.isInline)).slice(0, FILES_MAX);
  const words = text.trim().slice(0, TEXT_MAX);
  return words === '' ? first : [...first, { ...source, kind: 'text', isInline: false, content: words }];
}

function contentOf({ content }: Attachment): string {
  if (typeof content === 'string') return content;
  return Buffer.from(content instanceof ArrayBuffer ? new Uint8Array(content) : content).toString('base64');
}
