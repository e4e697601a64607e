import { t } from '@lingui/core/macro';
import { escapeHtml } from '#contract/base/escape-html.ts';
import { locale } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { withoutLinks } from '#contract/base/one-line.ts';
import { COLORS } from '#contract/base/palette.ts';
import { labelled } from '#contract/base/words.ts';
import { appealText } from '#contract/oversight/moderation.ts';
import { ownColor } from '#server/core/market-colors.ts';
import type { InsteadKind } from '#server/texts/mails.ts';
import { ACCOUNT_MAILS, MAIL_TEXTS, NEWS_MAILS } from '#server/texts/mails.ts';
import type { ClaimedMail, MailedReceipt } from './outbox-store.ts';

const { clip, gray, dark } = COLORS;

/** The content of a mail, before it becomes text or HTML. */
export interface MailContent {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A full web address and the label of its button. */
  readonly button: { readonly label: string; readonly url: string } | null;
  /** `link` is a full web address. */
  readonly receipt: MailedReceipt | null;
  /** Why the reader gets this. */
  readonly reason: string;
  /** Where to ask for help, or to appeal. */
  readonly support: string;
  /** Where to unsubscribe from this kind of news; null for mail about the account. */
  readonly unsubscribe: { readonly label: string; readonly url: string } | null;
}

export interface MailLinks {
  /** The subject of the mail; null if it has no page. */
  readonly main: string | null;
  readonly unsubscribe: string | null;
  /** The page of the receipt that the mail carries. */
  readonly receipt: string | null;
}

/**
 * The content of a mail of the outbox. People’s words are quoted by whoever wrote the text; here their web addresses are
 * broken, because mail programs turn bare ones into links.
 * @param supportEmail null: people answer the mail
 */
export function contentOf(
  mail: Omit<ClaimedMail, 'kind'> & { readonly kind: ClaimedMail['kind'] | InsteadKind },
  links: MailLinks,
  supportEmail: string | null,
): MailContent {
  const help =
    supportEmail === null ? MAIL_TEXTS.helpByAnswer() : MAIL_TEXTS.helpByMail({ address: supportEmail });
  const support = mail.kind === 'status_changed' ? appealText(supportEmail) : help;
  if (mail.kind === 'notification') {
    const { button, reason, stop } = NEWS_MAILS[mail.type ?? 'other'];
    return {
      heading: mail.subject,
      paragraphs: withoutLinks(mail.body).split('\n\n'),
      button: links.main === null ? null : { label: button(), url: links.main },
      receipt:
        mail.receipt && links.receipt !== null
          ? { ...receiptWithoutLinks(mail.receipt), link: links.receipt }
          : null,
      reason: reason(),
      support,
      unsubscribe: links.unsubscribe === null ? null : { label: stop(), url: links.unsubscribe },
    };
  }
  const { paragraphs, button, reason } = ACCOUNT_MAILS[mail.kind];
  return {
    heading: mail.subject,
    paragraphs: paragraphs(withoutLinks(mail.body)),
    button: button === null || links.main === null ? null : { label: button(), url: links.main },
    receipt: null,
    reason: reason(),
    support,
    unsubscribe: null,
  };
}

function receiptWithoutLinks({ title, lines, note, link }: MailedReceipt): MailedReceipt {
  const clean = lines.map(({ name, value }) => ({ name, value: withoutLinks(value) }));
  return { title, lines: clean, note: withoutLinks(note), link };
}

/** What stands above an address. */
const above = (label: string) => t`${label}:`;

/** The plain-text version. */
export function textOf(content: MailContent): string {
  const { heading, paragraphs, button, receipt, reason, support, unsubscribe } = content;
  const parts = [
    heading,
    ...paragraphs,
    ...(button ? [`${above(button.label)}\n${button.url}`] : []),
    ...(receipt ? [receiptText(receipt)] : []),
    // Mail programs fold a signature at this line.
    `-- \n${marketName()}\n${reason}\n${support}`,
    ...(unsubscribe ? [`${above(unsubscribe.label)}\n${unsubscribe.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function receiptText({ title, lines, note, link }: MailedReceipt): string {
  const rows = lines.map(({ name, value }) => labelled(name, value));
  return `${[title, ...rows].join('\n')}\n\n${note}\n\n${above(MAIL_TEXTS.print())}\n${link}`;
}

/**
 * Light and dark by the reader's setting. Important rules are inline too, for mail programs that drop this sheet. The
 * colours are those of the site, with a contrast of at least 4.5.
 */
const sheet = () => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: ${ownColor(dark[8])} !important; }
  .sheet { background: ${ownColor(dark[7])} !important; border-color: ${ownColor(dark[5])} !important; }
  .ink { color: ${ownColor(dark[0])} !important; }
  .faint { color: ${ownColor(dark[2])} !important; }
  .brand { color: ${ownColor(clip[3])} !important; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The HTML version. Everything is escaped, and nothing is loaded from elsewhere. */
export function htmlOf(content: MailContent): string {
  const { heading, paragraphs, button, receipt, reason, support, unsubscribe } = content;
  const body = paragraphs.map(
    (text) => `<p class="ink" style="margin:0 0 16px;color:${ownColor(gray[9])}">${escapeHtml(text)}</p>`,
  );
  return `<!doctype html>
<html lang="${locale()}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>${sheet()}
</style>
</head>
<body class="ground" style="margin:0;padding:24px 12px;background:${ownColor(gray[0])};font-size:16px;line-height:1.5;${FONT}">
<div role="article" aria-label="${escapeHtml(heading)}" style="max-width:560px;margin:0 auto">
<p class="brand" style="margin:0 0 12px;font-size:20px;font-weight:800;color:${ownColor(clip[7])}">${escapeHtml(marketName())}</p>
<div class="sheet" style="padding:24px;border:1px solid ${ownColor(gray[2])};border-radius:12px;background:#ffffff">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:${ownColor(gray[9])}">${escapeHtml(heading)}</h1>
${body.join('\n')}
${button ? buttonHtml(button) : ''}
${receipt ? receiptHtml(receipt) : ''}
</div>
<p class="faint" style="margin:20px 0 0;font-size:14px;color:${ownColor(gray[6])}">${escapeHtml(reason)}</p>
<p class="faint" style="margin:8px 0 0;font-size:14px;color:${ownColor(gray[6])}">${escapeHtml(support)}</p>
${unsubscribe ? `<p style="margin:8px 0 0;font-size:14px"><a class="faint" style="color:${ownColor(gray[6])}" href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.label)}</a></p>` : ''}
</div>
</body>
</html>
`;
}

function receiptHtml({ title, lines, note, link }: MailedReceipt): string {
  const rows = lines.map(
    ({ name, value }) =>
      `<tr><th class="faint" scope="row" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;color:${ownColor(gray[6])}">${escapeHtml(name)}</th>` +
      `<td class="ink" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere;color:${ownColor(gray[9])}">${escapeHtml(value)}</td></tr>`,
  );
  return `<h2 class="ink" style="margin:24px 0 8px;font-size:18px;color:${ownColor(gray[9])}">${escapeHtml(title)}</h2>
<table style="border-collapse:collapse;font-size:16px">
${rows.join('\n')}
</table>
<p class="faint" style="margin:16px 0 8px;font-size:14px;color:${ownColor(gray[6])}">${escapeHtml(note)}</p>
<p style="margin:0"><a class="brand" style="color:${ownColor(clip[7])}" href="${escapeHtml(link)}">${MAIL_TEXTS.print()}</a></p>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style = `display:inline-block;padding:12px 24px;border-radius:24px;background:${ownColor(clip[7])};color:#ffffff;font-weight:600;text-decoration:none`;
  return `<p style="margin:24px 0 0"><a style="${style}" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
