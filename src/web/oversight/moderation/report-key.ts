import type { ReportedThing } from '#contract/oversight/moderation.ts';

interface About {
  readonly userId: number | null;
  readonly relatedEntityType?: ReportedThing | null | undefined;
  readonly relatedEntityId?: number | null | undefined;
}

/** Names what a report is about. */
export function reportKey({ userId, relatedEntityType, relatedEntityId }: About): string {
  return relatedEntityType && relatedEntityId ? `${relatedEntityType}-${relatedEntityId}` : `user-${userId}`;
}
