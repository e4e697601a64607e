import { SESSION_IDLE_DAYS } from '#contract/base/limits.ts';
import { addDays, systemClock } from '#server/core/clock.ts';
import { sha256 } from '#server/core/crypto.ts';
import type { Database } from '#server/database/client.ts';

/** Makes a session one that was not used for so many days: Lucia counts them by the real clock, which tests do not move. */
export async function leaveSession(db: Database, token: string, days: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ expiresAt: addDays(systemClock(), SESSION_IDLE_DAYS - days) })
    .where('id', '=', sha256(token))
    .execute();
}
