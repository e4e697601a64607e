import { select, t } from '@lingui/core/macro';
import { marketName } from '#contract/base/market.ts';
import type { ReportAction } from '#contract/oversight/moderation.ts';
import type { UserStatus } from '#contract/people/accounts.ts';
import type { UserRole } from '#contract/people/roles.ts';

/** From mild to severe. */
const SEVERITY: readonly UserStatus[] = ['active', 'warned', 'suspended', 'banned'];

/** The new status of the reported person; null for no change. */
export const STATUS_AFTER: Record<ReportAction, UserStatus | null> = {
  dismiss: null,
  warn: 'warned',
  suspend: 'suspended',
  ban: 'banned',
};

export interface Judge {
  readonly role: UserRole;
}

export interface Judged {
  readonly id: number;
  readonly username: string;
  readonly role: UserRole;
  readonly status: UserStatus;
  readonly isDeleted: boolean;
}

/** Why an action is refused: never allowed for this person, or not in the current state. */
export interface Objection {
  readonly code: 'forbidden' | 'conflict';
  readonly text: string;
}

const forbidden = (text: string): Objection => ({ code: 'forbidden', text });
const conflict = (text: string): Objection => ({ code: 'conflict', text });

/**
 * Why a report of others may not be decided this way; null if it may. Only admins decide reports on moderators; nobody moderates admins; a status never becomes milder (decisions 5.2).
 */
export function judgeReview(
  judge: Judge,
  { reported, action }: { reported: Judged; action: ReportAction },
): Objection | null {
  if (reported.role !== 'user' && judge.role !== 'admin') {
    return forbidden(t`Only admins can decide reports about moderators and admins.`);
  }
  const to = STATUS_AFTER[action];
  if (to === null) return null;
  if (reported.role === 'admin') return forbidden(t`No one can change the status of an admin.`);
  if (reported.isDeleted) {
    return conflict(t`This person has left ${{ market: marketName() }}: the report can only be dismissed.`);
  }
  if (SEVERITY.indexOf(to) < SEVERITY.indexOf(reported.status)) {
    const { username, status } = reported;
    return conflict(
      select(status, {
        warned: `${username} is already warned. Only an admin can make that less strict.`,
        suspended: `${username} is already suspended. Only an admin can make that less strict.`,
        other: `${username} is already banned. Only an admin can make that less strict.`,
      }),
    );
  }
  return null;
}

/** Why a moderator may not remove somebody else's picture; null if they may. Pictures of moderators and admins are for admins. */
export function judgeRemoval(judge: Judge, owner: Pick<Judged, 'role'>): Objection | null {
  if (owner.role !== 'user' && judge.role !== 'admin')
    return forbidden(t`Only admins can remove pictures of moderators and admins.`);
  return null;
}

/** Why an admin may not set somebody else's status; null if they may. Every status may follow every other. */
export function judgeStatusChange(person: Judged): Objection | null {
  if (person.role === 'admin') return forbidden(t`No one can change the status of an admin.`);
  if (person.isDeleted) return conflict(t`This person has left ${{ market: marketName() }}.`);
  return null;
}

/** The moderator's confirmation. */
export function reviewText(action: ReportAction, username: string): string {
  switch (action) {
    case 'dismiss':
      return t`The report was dismissed.`;
    case 'warn':
      return t`${username} was warned.`;
    case 'suspend':
      return t`${username} was suspended.`;
    case 'ban':
      return t`${username} was banned.`;
  }
}
