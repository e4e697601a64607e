import type { Mail } from './mailer.ts';

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
