import type { Attachment, Email } from 'postal-mime';
import type { LeftOut } from '#contract/coupons/left-out.ts';
import { FILES_MAX, fileName, type MailPart, type Message, partsOf } from './parts.ts';

/** Mail programs nest few parts; more are an attack. */
const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true };
/** How deep a mail may be forwarded as a file of a mail that was forwarded as a file. */
const FORWARDED_DEPTH = 3;

/** What counts of a mail. */
export interface OpenedMail {
  readonly messageId: string | undefined;
  readonly parts: readonly MailPart[];
  readonly leftOut: readonly LeftOut[];
}

/** Reads the bytes of a mail (RFC 5322), and all mails that were forwarded in it as files. Null past the limits. */
export async function openMail(raw: Uint8Array): Promise<OpenedMail | null> {
  const email = await parsed(raw);
  if (!email) return null;
  const messages: Message[] = [];
  const leftOut: LeftOut[] = [];
  await collect(email, '/', { messages, leftOut });
  const read = partsOf(messages);
  return { messageId: email.messageId, parts: read.parts, leftOut: [...leftOut, ...read.leftOut] };
}

async function parsed(raw: Attachment['content']): Promise<Email | null> {
  const { default: PostalMime } = await import('postal-mime');
  return PostalMime.parse(raw, LIMITS).catch(() => null);
}

const isMail = ({ mimeType, filename }: Attachment) =>
  mimeType === 'message/rfc822' || /\.eml$/i.test(filename ?? '');

/** Collects a mail behind those that are files of it. */
async function collect(
  email: Email,
  path: string,
  into: { readonly messages: Message[]; readonly leftOut: LeftOut[] },
): Promise<void> {
  const inner = email.attachments.filter(isMail);
  for (const [index, file] of inner.entries()) {
    const isRead = path.split('/').length <= FORWARDED_DEPTH + 1 && into.messages.length < FILES_MAX;
    const mail = isRead ? await parsed(file.content) : null;
    if (mail) await collect(mail, `${path}${index}/`, into);
    else if (isRead) into.leftOut.push({ what: 'file', name: fileName(file), why: 'broken' });
    else into.leftOut.push({ what: 'files', count: 1 });
  }
  const { textOfHtml } = await import('./html-text.ts');
  into.messages.push({
    path,
    email,
    files: email.attachments.filter((file) => !isMail(file)),
    html: textOfHtml(email.html ?? ''),
  });
}
