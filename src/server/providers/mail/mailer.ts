/** A mail ready to go. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Where one click ends this kind of mail (RFC 8058); null for mail of the account itself. */
  readonly unsubscribeUrl: string | null;
  /** The same for the same mail: a mail that is sent again after a lost answer carries it again. */
  readonly messageId: string;
}

export interface Mailer {
  /** `smtp` sends; `outbox` keeps the mail for the developer's page. */
  readonly transport: 'smtp' | 'outbox';
  /** @throws MailRefused when the address is refused for good; any other error, MailDeferred mostly: worth another try */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** The receiving side has said no for good: another try would get the same answer. Its message names no address. */
export class MailRefused extends Error {}

/** It did not work this time. Its message names no address and no secret. */
export class MailDeferred extends Error {}
