import type { Trx } from '#server/database/client.ts';
import { type AccountMail, type AccountMailKind, insertAccountMail } from './outbox-store.ts';

const SUBJECTS: Record<AccountMailKind, string> = {
  verify_email: 'Confirm your e-mail address',
  reset_password: 'Choose a new password',
  password_changed: 'Your password was changed',
  email_changed: 'Your e-mail address was changed',
  account_deleted: 'Your account was deleted',
  status_changed: 'The standing of your account has changed',
};

/**
 * Writes down a mail of the account in the caller's transaction: it goes out after the commit, within seconds.
 * What it links to is made when it is sent, so that no token is ever at rest.
 */
export async function queueAccountMail(trx: Trx, mail: AccountMail): Promise<void> {
  await insertAccountMail(trx, { ...mail, body: mail.body ?? '', subject: SUBJECTS[mail.kind] });
}
