import { type RawBuilder, sql } from 'kysely';
import { AppError } from '#server/core/errors.ts';

/**
 * Moderators and admins neither read nor decide their own cases: reports that they wrote or that are about them, claims
 * and payments of their deals, and what was recorded or decided about them. There they see what any other party sees.
 * Every call that reads or decides cases asks this file; tests/api/own-cases.test.ts makes all of these calls.
 * @param parties the ids of the people whom the case is about; null for those whom it does not have
 */
export function isOwnCase(judgeId: number, parties: readonly (number | null)[]): boolean {
  return parties.includes(judgeId);
}

/** @throws AppError forbidden with `text` if the case is the judge's own */
export function refuseOwnCase(judgeId: number, parties: readonly (number | null)[], text: string): void {
  if (isOwnCase(judgeId, parties)) throw new AppError('forbidden', text);
}

/** The condition that leaves the judge's own cases out of a query. @param parties columns, which may be null */
export function notOwnCase(judgeId: number, parties: readonly string[]): RawBuilder<boolean> {
  const columns = sql.join(parties.map((column) => sql.ref(column)));
  return sql<boolean>`coalesce(${judgeId} <> all(array[${columns}]::integer[]), true)`;
}
