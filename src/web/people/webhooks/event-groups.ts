import { t } from '@lingui/core/macro';
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/people/webhooks.ts';

/** What people choose from: all events of one subject together, by the first part of their names. */
const SUBJECTS: readonly (readonly [subject: string, label: string])[] = [
  ['bid', t`Bids`],
  ['exchange', t`Exchanges and rings`],
  ['message', t`New messages`],
  ['rating', t`New ratings`],
  ['claim', t`Claims`],
  ['payment', t`Payments`],
  ['payout', t`Payouts`],
  ['wish', t`Wish list`],
];

/** The groups of events, each with its name for people. */
export const EVENT_GROUPS: readonly { readonly label: string; readonly events: readonly WebhookEvent[] }[] =
  SUBJECTS.map(([subject, label]) => ({
    label,
    events: WEBHOOK_EVENTS.filter((event) => event.startsWith(`${subject}.`)),
  }));

/** The names of the groups of which at least one event was chosen. */
export function groupsOf(chosen: readonly string[]): string[] {
  return EVENT_GROUPS.filter(({ events }) => events.some((event) => chosen.includes(event))).map(
    ({ label }) => label,
  );
}
