import type { Email } from 'postal-mime';
import { type MailPart, partsOf } from './parts.ts';

/** Mail programs nest few parts; more are an attack. */
const NESTED_MAX = 20;
const HEADERS_MAX = 256 * 1024;

/** What counts of a mail. */
export interface OpenedMail {
  readonly messageId: string | undefined;
  readonly parts: readonly MailPart[];
}

/** Reads a mail (RFC 5322): one that was forwarded in it, with the files of both. Null past the limits. */
export async function openMail(raw: string): Promise<OpenedMail | null> {
  const email = await parsed(raw).catch(() => null);
  return email && { messageId: email.messageId, parts: partsOf(email, await textOf(email)) };
}

async function parsed(raw: string): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime');
  const limits = { maxNestingDepth: NESTED_MAX, maxHeadersSize: HEADERS_MAX, maxRfc822NestingDepth: 3 };
  const email = await PostalMime.parse(raw, limits);
  const isMail = ({ mimeType }: Email['attachments'][number]) => mimeType === 'message/rfc822';
  const [forwarded] = email.attachments.filter(isMail);
  if (!forwarded) return email;
  const { content } = forwarded;
  const inner = await PostalMime.parse(content, limits);
  const attachments = [...email.attachments, ...inner.attachments].filter((file) => !isMail(file));
  return { ...inner, messageId: email.messageId, attachments };
}

/** The text of a mail, also where it only has HTML. */
async function textOf({ text = '', html = '' }: Email): Promise<string> {
  if (text.trim() !== '') return text;
  const { convert } = await import('html-to-text');
  return convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 500_000, maxDepth: 50 },
    selectors: [
      { selector: 'img', format: 'skip' },
      { selector: 'a', options: { ignoreHref: true } },
    ],
  });
}
