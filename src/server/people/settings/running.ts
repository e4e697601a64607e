import type { SettingValues } from '#contract/people/settings.ts';
import type { Logger } from '#server/core/log.ts';
import type { Database } from '#server/database/client.ts';
import { listKeys, type SealedKey } from './keys-store.ts';
import { type StartSettings, unusableNames, valuesWith } from './rules.ts';
import { listLatest } from './store.ts';

/** What holds in this process while it runs. */
export interface RunningSettings {
  /** What holds without changes of admins. */
  readonly start: StartSettings;
  /** What holds now; the same object until an admin changes something. */
  current(): SettingValues;
  /** The keys of services that settings name, encrypted. */
  keys(): readonly SealedKey[];
  /** Reads what admins have changed. What holds stays as it is where the database does not answer. */
  refresh(): Promise<void>;
  close(): void;
}

/**
 * Reads what admins have changed, and again every `everyMs` milliseconds. A stored value that is not valid is logged, and
 * does not count.
 * @throws the database's error, if it cannot be read at first
 */
export async function openSettings(given: {
  readonly db: Database;
  readonly start: StartSettings;
  readonly log: Logger;
  /** Null: only when it is asked to. */
  readonly everyMs: number | null;
}): Promise<RunningSettings> {
  const { db, start, log, everyMs } = given;
  let current = valuesWith(start, []);
  let keys: readonly SealedKey[] = [];
  /** The changes that `current` is made of. */
  let seen = '';
  let complained = '';
  let isFailing = false;

  async function read(): Promise<void> {
    const changes = await listLatest(db);
    const ids = changes.map(({ id }) => id).join();
    if (ids === seen) return;
    // After the changes, so that each key is there that they name.
    keys = await listKeys(db);
    current = valuesWith(start, changes);
    seen = ids;
    const names = unusableNames(start, changes).join(', ');
    if (names !== '' && names !== complained)
      log.warn({ names }, 'settings that admins have changed are not usable, and do not count');
    complained = names;
  }

  async function refresh(): Promise<void> {
    try {
      await read();
      isFailing = false;
    } catch (error) {
      // Once is enough until the database answers again.
      if (!isFailing) log.warn({ err: error }, 'the settings could not be read again');
      isFailing = true;
    }
  }

  await read();
  const timer = everyMs === null ? null : setInterval(() => void refresh(), everyMs).unref();
  return {
    start,
    current: () => current,
    keys: () => keys,
    refresh,
    close: () => clearInterval(timer ?? undefined),
  };
}

/** The configuration with what holds now, for one call or one run of a job. */
export function configNow<Some extends object>(deps: {
  readonly config: Some;
  readonly settings: Pick<RunningSettings, 'current'>;
}): Some & SettingValues {
  return { ...deps.config, ...deps.settings.current() };
}
