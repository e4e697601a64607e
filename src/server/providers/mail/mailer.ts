export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The one-click unsubscribe address (RFC 8058); null for mail about the account itself. */
  readonly unsubscribeUrl: string | null;
  /** The same when the mail is sent again after a lost answer. */
  readonly messageId: string;
}

export interface Mailer {
  /** `smtp` sends the mail, `outbox` keeps it for the developer's page. */
  readonly transport: 'smtp' | 'outbox';
  /** @throws MailRefused when the address is refused for good; any other error, mostly MailDeferred: try again */
  send(mail: Mail): Promise<void>;
  /** Signs in without sending anything. @throws MailDeferred that says what was answered */
  check(): Promise<void>;
  /** Of the outbox: the page that shows the newest mail to an address, if this network address may read it. */
  pageOf?(address: string, ip: string): string | null;
  close(): Promise<void>;
}

/** The receiving server refused for good: another attempt would fail too. The message holds no address. */
export class MailRefused extends Error {}

/** The attempt failed. The message holds no address and no secret. */
export class MailDeferred extends Error {}

/** Headers besides the subject: written by a program (RFC 3834) and, for news, one-click unsubscribe (RFC 8058). */
export function headersOf({ unsubscribeUrl }: Mail): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl !== null && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}
