import type { Config } from '#server/core/config.ts';
import type { SandboxStore } from '../sandbox/store.ts';
import type { Mailer } from './mailer.ts';
import { createOutboxMailer } from './outbox.ts';
import { createSmtpMailer } from './smtp.ts';

/** The way out for mail that the settings name; null where there is none. */
export function openMailer(settings: Config['mail'], store: SandboxStore): Mailer | null {
  if (settings === null) return null;
  return settings === 'outbox' ? createOutboxMailer(store) : createSmtpMailer(settings);
}
