import type { Context } from '#server/context/context.ts';
import type { Database } from '#server/database/client.ts';
import type { Kept, KeptFiles } from './keeping-store.ts';

export { picturesIn } from './keeping-store.ts';

/** The names of all files that are kept, in portions. */
export async function* listKeptFiles(
  db: Database,
  { portion, listKept }: KeptFiles,
): AsyncGenerator<string[]> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const kept: Kept[] = await listKept(db, after, portion);
    if (kept.length > 0) yield kept.flatMap(({ files }) => files);
    after = kept.at(-1)?.id;
  }
}

/**
 * Removes discarded pictures. The files go first, so that no file is left without a row. What the storage fails to
 * remove is tried again at the next run.
 * @returns how many were removed
 */
export async function removeDiscarded(
  ctx: Context,
  { portion, listDiscarded, deleteDiscarded }: Omit<KeptFiles, 'listKept'>,
): Promise<number> {
  const at = ctx.clock();
  let count = 0;
  for (let after = ''; ; ) {
    const pictures = await listDiscarded(ctx.db, { at, after, limit: portion });
    const last = pictures.at(-1);
    if (last === undefined) return count;
    after = last.id;
    const outcomes = await Promise.allSettled(
      pictures.map(({ files }) => Promise.all(files.map((file) => ctx.providers.storage.remove(file)))),
    );
    const removed = pictures.filter((_, i) => outcomes[i]?.status === 'fulfilled').map(({ id }) => id);
    await deleteDiscarded(ctx.db, removed);
    count += removed.length;
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) ctx.log.warn({ err: failed.reason }, 'pictures could not be removed');
    // The storage fails altogether.
    if (removed.length === 0) return count;
  }
}
