import { appealText } from '#contract/moderation.ts';
import type { NotificationType } from '#contract/notifications.ts';
import { withoutLinks } from '#contract/one-line.ts';
import { quote } from '#contract/words.ts';
import { escapeHtml } from '#server/core/text.ts';
import type { ClaimedMail, InsteadKind, MailedPaper } from './outbox-store.ts';

/** The content of a mail, before it becomes text or HTML. */
export interface Letter {
  readonly heading: string;
  readonly paragraphs: readonly string[];
  /** A full web address and the label of its button. */
  readonly button: { readonly label: string; readonly url: string } | null;
  /** `link` is a full web address. */
  readonly paper: MailedPaper | null;
  /** Why the reader gets this. */
  readonly reason: string;
  /** Where to ask for help, or to appeal. */
  readonly support: string;
  /** Where to unsubscribe from this kind of news; null for mail about the account. */
  readonly unsubscribe: { readonly label: string; readonly url: string } | null;
}

export interface LetterLinks {
  /** The subject of the mail; null if it has no page. */
  readonly main: string | null;
  readonly unsubscribe: string | null;
  /** The page of the paper that the mail carries. */
  readonly paper: string | null;
}

const NEWS: Record<NotificationType, { readonly button: string; readonly about: string }> = {
  exchange_request: { button: 'See the proposal', about: 'exchange requests' },
  exchange_accepted: { button: 'See the exchange', about: 'accepted exchanges' },
  exchange_rejected: { button: 'See the exchange', about: 'declined exchanges' },
  exchange_completed: { button: 'See the exchange', about: 'completed exchanges' },
  message: { button: 'Read the message', about: 'new messages' },
  want: { button: 'See it on ClipSwap', about: 'coupons that you look for' },
  match: { button: 'See the match', about: 'swaps that we find for you' },
  other: { button: 'See it on ClipSwap', about: 'bids, payments and your coupons' },
};

const NOT_YOU =
  'If this was not you, press the button within 7 days and choose a new password. That signs everybody out and removes every passkey.';
const NOT_ME = 'This was not me';
const SAFETY = 'You get this mail because it is about the safety of your account.';

/** The lines of a stored text. */
const linesOf = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== '');

/** The texts of account mail; `extra` is the text stored with it. */
const ACCOUNT: Record<
  Exclude<ClaimedMail['kind'], 'notification'> | InsteadKind,
  {
    readonly paragraphs: (extra: string) => readonly string[];
    readonly button: string | null;
    readonly reason: string;
  }
> = {
  verify_email: {
    paragraphs: () => [
      'Please confirm that this address is yours: then we can write to you about your exchanges and bids, and you can get back into your account if you forget your password.',
      'The link works for 24 hours.',
    ],
    button: 'Confirm this address',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, do nothing: without the confirmation no other mail of that account comes here.',
  },
  address_in_use: {
    paragraphs: (username) => [
      `Somebody, perhaps you, has given this address for an account at ClipSwap. You have one with it already: ${username}. Nothing about it has changed, and no other account can use your address.`,
      'If you have forgotten your password, you can choose a new one where you sign in.',
    ],
    button: 'Sign in',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, you need not do anything.',
  },
  address_retired: {
    paragraphs: () => [
      'Somebody, perhaps you, has given this address for an account at ClipSwap. It was the address of an account that was deleted, and such addresses are not used again.',
      'If it was you, give another address in your settings.',
    ],
    button: 'See your settings',
    reason:
      'You get this mail because this address was given to ClipSwap. If it was not you, you need not do anything.',
  },
  reset_password: {
    paragraphs: () => [
      'Somebody, we hope you, has asked for a new password for your account.',
      'The link works for one hour, and once.',
    ],
    button: 'Choose a new password',
    reason:
      'You get this mail because a new password was asked for. If it was not you, do nothing: your password stays as it is.',
  },
  password_changed: {
    paragraphs: (extra) => ['The password of your account was changed.', ...linesOf(extra), NOT_YOU],
    button: NOT_ME,
    reason: SAFETY,
  },
  email_changed: {
    paragraphs: () => [
      'The e-mail address of your account was changed. What we write about your account goes to the new address from now on.',
      'If this was not you, press the button within 7 days: the account gets this address back, everybody is signed out, every passkey is removed, and you choose a new password.',
    ],
    button: NOT_ME,
    reason: 'You get this mail, for the last time here, because this was the address of your account.',
  },
  account_deleted: {
    paragraphs: () => [
      'Your account was deleted, with your name, your address and what you wrote about yourself. What you traded stays in the other party’s history, without your name.',
      'Thank you for having been here.',
    ],
    button: null,
    reason: 'You get this mail, the last one from us, because this was the address of your account.',
  },
  new_browser: {
    paragraphs: (extra) => [
      `Somebody, we hope you, has signed in to your account in a browser that we have not seen there before: ${extra}.`,
      NOT_YOU,
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  second_factor: {
    paragraphs: (extra) => [
      `The second factor of your account ${extra}.`,
      `${NOT_YOU} If the second factor was turned on, it is turned off again.`,
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  second_factor_tries: {
    paragraphs: () => [
      'Somebody has entered many wrong codes for your authenticator app. We take no more of its codes there for a day. Whoever it is knows your password, or uses a browser in which you have signed in.',
      NOT_YOU,
      'Meanwhile you can sign in with a recovery code or a passkey, or with a code of the app in another browser that you have used before.',
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  passkey: {
    paragraphs: (extra) => [`A passkey ${extra}.`, `A passkey signs in without your password. ${NOT_YOU}`],
    button: NOT_ME,
    reason: SAFETY,
  },
  passkey_copied: {
    paragraphs: (extra) => [
      `Your passkey ${quote(extra)} was used and refused: its counter of signatures went back. That happens when a passkey has been copied.`,
      'If you cannot explain this, remove the passkey in your settings, and add a new one on your own device. If this was not you, press the button: that signs everybody out, removes every passkey, and lets you choose a new password.',
    ],
    button: NOT_ME,
    reason: SAFETY,
  },
  status_changed: {
    paragraphs: linesOf,
    button: 'See your deals',
    reason: 'You get this mail because it is about your account at ClipSwap.',
  },
};

function helpText(supportEmail: string | null): string {
  return supportEmail === null
    ? 'Do you need help? Answer this mail.'
    : `Do you need help? Write to ${supportEmail}.`;
}

/**
 * The letter for a mail of the outbox. People’s words are quoted by whoever wrote the text; here their web addresses are
 * broken, because mail programs turn bare ones into links.
 * @param supportEmail null: people answer the mail
 */
export function letterOf(
  mail: Omit<ClaimedMail, 'kind'> & { readonly kind: ClaimedMail['kind'] | InsteadKind },
  links: LetterLinks,
  supportEmail: string | null,
): Letter {
  const support = mail.kind === 'status_changed' ? appealText(supportEmail) : helpText(supportEmail);
  if (mail.kind === 'notification') {
    const { button, about } = NEWS[mail.type ?? 'other'];
    return {
      heading: mail.subject,
      paragraphs: [withoutLinks(mail.body)],
      button: links.main === null ? null : { label: button, url: links.main },
      paper:
        mail.paper && links.paper !== null ? { ...paperWithoutLinks(mail.paper), link: links.paper } : null,
      reason: `You get this mail because you have an account at ClipSwap, and mail about ${about} is switched on in your settings.`,
      support,
      unsubscribe:
        links.unsubscribe === null ? null : { label: `No more mail about ${about}`, url: links.unsubscribe },
    };
  }
  const { paragraphs, button, reason } = ACCOUNT[mail.kind];
  return {
    heading: mail.subject,
    paragraphs: paragraphs(withoutLinks(mail.body)),
    button: button === null || links.main === null ? null : { label: button, url: links.main },
    paper: null,
    reason,
    support,
    unsubscribe: null,
  };
}

function paperWithoutLinks({ title, lines, note, link }: MailedPaper): MailedPaper {
  const clean = lines.map(({ name, value }) => ({ name, value: withoutLinks(value) }));
  return { title, lines: clean, note: withoutLinks(note), link };
}

/** The plain-text version. */
export function textOf(letter: Letter): string {
  const { heading, paragraphs, button, paper, reason, support, unsubscribe } = letter;
  const parts = [
    heading,
    ...paragraphs,
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...(paper ? [paperText(paper)] : []),
    // Mail programs fold a signature at this line.
    `-- \nClipSwap\n${reason}\n${support}`,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.url}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

const PRINT = 'See it up to date, or print it';

function paperText({ title, lines, note, link }: MailedPaper): string {
  const rows = lines.map(({ name, value }) => `${name}: ${value}`);
  return `${[title, ...rows].join('\n')}\n\n${note}\n\n${PRINT}:\n${link}`;
}

/**
 * Light and dark by the reader's setting. Important rules are inline too, for mail programs that drop this sheet. The
 * colours are those of the site, with a contrast of at least 4.5.
 */
const SHEET = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .ground { background: #151210 !important; }
  .sheet { background: #1b1714 !important; border-color: #453c34 !important; }
  .ink { color: #f3ece2 !important; }
  .faint { color: #bdb1a3 !important; }
  .brand { color: #ef9b81 !important; }
}`;

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The HTML version. Everything is escaped, and nothing is loaded from elsewhere. */
export function htmlOf(letter: Letter): string {
  const { heading, paragraphs, button, paper, reason, support, unsubscribe } = letter;
  const body = paragraphs.map(
    (text) => `<p class="ink" style="margin:0 0 16px;color:#241c15">${escapeHtml(text)}</p>`,
  );
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(heading)}</title>
<style>${SHEET}
</style>
</head>
<body class="ground" style="margin:0;padding:24px 12px;background:#faf6ef;font-size:16px;line-height:1.5;${FONT}">
<div role="article" aria-label="${escapeHtml(heading)}" style="max-width:560px;margin:0 auto">
<p class="brand" style="margin:0 0 12px;font-size:20px;font-weight:800;color:#a83717">ClipSwap</p>
<div class="sheet" style="padding:24px;border:1px solid #e7ddcc;border-radius:12px;background:#ffffff">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#241c15">${escapeHtml(heading)}</h1>
${body.join('\n')}
${button ? buttonHtml(button) : ''}
${paper ? paperHtml(paper) : ''}
</div>
<p class="faint" style="margin:20px 0 0;font-size:14px;color:#6a5e4e">${escapeHtml(reason)}</p>
<p class="faint" style="margin:8px 0 0;font-size:14px;color:#6a5e4e">${escapeHtml(support)}</p>
${unsubscribe ? `<p style="margin:8px 0 0;font-size:14px"><a class="faint" style="color:#6a5e4e" href="${escapeHtml(unsubscribe.url)}">${escapeHtml(unsubscribe.label)}</a></p>` : ''}
</div>
</body>
</html>
`;
}

function paperHtml({ title, lines, note, link }: MailedPaper): string {
  const rows = lines.map(
    ({ name, value }) =>
      `<tr><th class="faint" scope="row" style="padding:4px 16px 4px 0;text-align:left;vertical-align:top;font-weight:400;color:#6a5e4e">${escapeHtml(name)}</th>` +
      `<td class="ink" style="padding:4px 0;vertical-align:top;overflow-wrap:anywhere;color:#241c15">${escapeHtml(value)}</td></tr>`,
  );
  return `<h2 class="ink" style="margin:24px 0 8px;font-size:18px;color:#241c15">${escapeHtml(title)}</h2>
<table style="border-collapse:collapse;font-size:16px">
${rows.join('\n')}
</table>
<p class="faint" style="margin:16px 0 8px;font-size:14px;color:#6a5e4e">${escapeHtml(note)}</p>
<p style="margin:0"><a class="brand" style="color:#a83717" href="${escapeHtml(link)}">${PRINT}</a></p>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style =
    'display:inline-block;padding:12px 24px;border-radius:24px;background:#a83717;color:#ffffff;font-weight:600;text-decoration:none';
  return `<p style="margin:24px 0 0"><a style="${style}" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`;
}
