import type { Mail } from './mailer.ts';

/**
 * What a mail says of itself besides its subject: that a machine wrote it (RFC 3834), and for news the one click that
 * ends it (RFC 8058).
 */
export function headersOf({ unsubscribeUrl }: Mail): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl !== null && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}
