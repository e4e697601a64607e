import { paths } from '#contract/base/pages.ts';
import type { NotificationType } from '#contract/people/notifications.ts';
import type { PushPayload } from '#contract/people/push.ts';
import { PUSH_LINES, TEST_PUSH_TEXTS } from '#server/texts/mails.ts';
import { textOf } from '#server/texts/reading.ts';

/** The kinds of news that come by push; the weekly mail does not. */
export type PushedType = Exclude<NotificationType, 'weekly'>;

/** Where a push leads that only tries it out. */
export const TEST_LINK = paths.settings('push');

interface News {
  readonly type: PushedType | null;
  readonly title: string;
  readonly link: string;
}

/**
 * What the browser shows. Locked phones show it to everybody near them, so it says what happened and nothing of it: no
 * names, titles, amounts, messages or codes.
 */
export function payloadOf({ type, title, link }: News): PushPayload {
  const body = type === null ? textOf(TEST_PUSH_TEXTS.line()) : PUSH_LINES[type]();
  // Of several about one deal the newest counts.
  return { title, body, path: link, tag: link };
}

/** What can wait until a phone has power. */
export function urgencyOf(type: PushedType | null): 'normal' | 'low' {
  return type === 'want' || type === 'match' ? 'low' : 'normal';
}
