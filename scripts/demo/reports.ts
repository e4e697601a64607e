import type { ReportReason } from '#contract/moderation.ts';
import { type Act, type Cast, made } from './cast.ts';
import type { DemoPlan } from './plan.ts';

/** What people report of each other; the moderator has not looked at it yet. */
const REPORTS: readonly {
  readonly daysAgo: number;
  readonly by: string;
  readonly on: string;
  readonly reason: ReportReason;
  readonly description: string;
  readonly evidence?: string;
}[] = [
  {
    daysAgo: 1.2,
    by: 'sofia_snips',
    on: 'dmitri.k',
    reason: 'other',
    description:
      'He answers every offer with three words, and one of them is a number. Is there a form for manners?',
  },
  {
    daysAgo: 0.4,
    by: 'grandma.jo',
    on: 'hugo99',
    reason: 'expired_coupon',
    description: 'The cinema did not take it. The lady at the till said that it ended in the spring.',
    evidence: 'Printed on the back of the ticket, in very small letters: “until 30 April”.',
  },
];

/** People report each other to the moderators. */
export function reportActs(cast: Cast, { people }: DemoPlan): Act[] {
  const find = (name: string) => people.find(({ username }) => username === name);
  return REPORTS.flatMap(({ daysAgo, by, on, ...report }) => {
    const [reporter, reported] = [find(by), find(on)];
    if (!reporter || !reported) return [];
    return {
      daysAgo,
      perform: (stage) =>
        stage
          .callsOf(made(cast.people, reporter))
          .moderation.report({ ...report, reportedUserId: made(cast.people, reported).id }),
    };
  });
}
