import { plural, t } from '@lingui/core/macro';
import { isAway } from '#server/database/connections.ts';
import { listApplied, listMigrations } from '#server/database/migrate.ts';
import { refuseUnsuitable } from '#server/database/suitability.ts';
import { readAhead, readConnections, readServer } from './checks-store.ts';
import {
  attention,
  broken,
  type CheckOf,
  type Examined,
  type Finding,
  good,
  notSetUp,
  reasonOf,
  worstOf,
} from './findings.ts';

/** The oldest major version that we support. */
const OLDEST = 15;

/** Version, encoding, rights, sort order and migrations of the database. */
export const database: CheckOf = {
  id: 'database',
  name: () => t`Database`,
  async look({ db }) {
    let server: Awaited<ReturnType<typeof readServer>>;
    try {
      server = await readServer(db);
    } catch (error) {
      const reason = reasonOf(error);
      return broken(
        t`We cannot query the database: ${reason}`,
        isAway(error)
          ? t`Start PostgreSQL, or correct the address in DATABASE_URL.`
          : t`Correct the user, the password or the name of the database in DATABASE_URL.`,
      );
    }
    const { name } = server;
    return worstOf(
      [versionOf(server), await suitabilityOf(db), await migrationsOf(db), sortingOf(server)],
      good(t`PostgreSQL ${name} answers, and its schema is the one of this release.`),
    );
  },
};

type Server = Awaited<ReturnType<typeof readServer>>;

function versionOf({ version, name }: Server): Finding | null {
  if (version >= OLDEST * 10_000) return null;
  return broken(
    t`PostgreSQL ${name} is too old.`,
    t`Move to PostgreSQL ${OLDEST} or newer: back up here, and restore there.`,
  );
}

async function suitabilityOf(db: Examined['db']): Promise<Finding | null> {
  try {
    await refuseUnsuitable(db);
    return null;
  } catch (error) {
    // Its message says what to run, in lines of its own.
    const advice = error instanceof Error ? error.message : String(error);
    return broken(t`Migrations would fail in this database.`, advice);
  }
}

async function migrationsOf(db: Examined['db']): Promise<Finding | null> {
  const [known, applied] = await Promise.all([listMigrations(), listApplied(db)]);
  const strange = applied.find((each) => !known.includes(each));
  if (strange !== undefined)
    return broken(
      t`This database has the migration ${strange}, which this release does not have.`,
      t`Run the newer release that made it, or restore a backup of this one.`,
    );
  const count = known.length - applied.length;
  if (count === 0) return null;
  return attention(
    applied.length === 0
      ? t`The database is empty.`
      : plural(count, { one: '# migration is pending.', other: '# migrations are pending.' }),
    t`Start the server of this release: it migrates the database first. Make a backup before.`,
  );
}

/** A system library that sorts differently than before leaves indexes in the wrong order. */
function sortingOf({ madeWith, sortsWith }: Server): Finding | null {
  if (madeWith === null || sortsWith === null || madeWith === sortsWith) return null;
  return attention(
    t`The sorting rules were version ${madeWith} when the database was created and are ${sortsWith} now: indexes on text may be out of order.`,
    t`Run “reindex database”, and then “alter database … refresh collation version”.`,
  );
}

/** Whether all processes can have their connections at once. */
export const connections: CheckOf = {
  id: 'connections',
  name: () => t`Connections to the database`,
  async look({ db, config }) {
    const { allowed, used, roleMay } = await readConnections(db);
    const most = roleMay >= 0 ? Math.min(roleMay, allowed) : allowed;
    // One more hears live events.
    const needed = config.webConcurrency * (config.databasePoolSize + 1);
    const facts = t`The processes of this machine open up to ${needed} connections, and the server allows ${most}, of which ${used} are in use now.`;
    if (needed > most)
      return broken(
        facts,
        t`Lower DATABASE_POOL_SIZE or WEB_CONCURRENCY, or raise max_connections of the server.`,
      );
    if (needed > 0.8 * most || used > 0.9 * most)
      return attention(
        facts,
        t`Leave room for backups and other machines: raise max_connections, or put PgBouncer in between.`,
      );
    return good(facts);
  },
};

/** Whether what one process announces is heard, which a pooler in transaction mode prevents. */
export const liveEvents: CheckOf = {
  id: 'live-events',
  name: () => t`Live events`,
  async look({ live, config }) {
    if (live.transport() !== 'polling')
      return good(
        config.databaseDirectUrl === undefined
          ? t`Live events arrive.`
          : t`Live events arrive, bypassing the pooler.`,
      );
    return attention(
      t`Live events do not arrive: browsers check for changes every 20 seconds instead.`,
      t`Behind a pooler such as PgBouncer in transaction mode, set DATABASE_DIRECT_URL to the server itself. Also check REDIS_URL if you use it.`,
    );
  },
};

export const replica: CheckOf = {
  id: 'replica',
  name: () => t`Replica`,
  async look({ replica: found, config }) {
    if (!found) return notSetUp(t`Lists are read from the primary.`);
    const { isUsed, lagSeconds } = found.state();
    const seconds = Math.round(lagSeconds * 10) / 10;
    if (isUsed) return good(t`Lists are read from the replica, which is ${seconds} seconds behind.`);
    const most = config.replica?.maxLagSeconds ?? 0;
    return attention(
      t`The replica is not used: it is ${seconds} seconds behind, and ${most} are allowed. The primary answers everything.`,
      t`Look for “the replica is left out” in the log: it gives the reason.`,
    );
  },
};

/** A difference of clocks that is worth a look, and one that breaks signatures and tokens. In milliseconds. */
const [NOTABLE_MS, BAD_MS] = [5_000, 60_000];

/** The clocks of this machine, of the database, which counts, and of a payment provider. */
export const clock: CheckOf = {
  id: 'clock',
  name: () => t`Clock`,
  async look({ db, config }) {
    const ahead = await readAhead(db);
    const api = config.stripe?.apiBase ?? config.paypal?.apiBase;
    const outside = api === undefined ? null : await outsideAhead(api);
    const seconds = (ms: number) => Math.round(Math.abs(ms) / 100) / 10;
    const ofDatabase = seconds(ahead);
    // The provider's clock against the database's, which all times come from.
    const between = outside === null ? 0 : outside - ahead;
    const ofProvider = seconds(between);
    const worst = Math.max(Math.abs(ahead), Math.abs(between));
    const facts =
      outside === null
        ? t`This machine’s clock and the database’s differ by ${ofDatabase} seconds.`
        : t`This machine’s clock and the database’s differ by ${ofDatabase} seconds; the payment provider’s and the database’s by ${ofProvider}.`;
    const advice = t`Sync all machines with a time server (chrony or systemd-timesyncd): the database’s clock decides when deals end and money is released.`;
    if (worst > BAD_MS) return broken(facts, advice);
    return worst > NOTABLE_MS ? attention(facts, advice) : good(facts);
  },
};

const ASK_MS = 5_000;

/** How far the clock of a web server is ahead of ours; null where it does not tell. Its header has whole seconds. */
async function outsideAhead(url: string): Promise<number | null> {
  const asked = Date.now();
  try {
    const answer = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(ASK_MS),
    });
    const told = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(told) ? null : told + 500 - (asked + Date.now()) / 2;
  } catch {
    // Whether the provider can be reached is another check.
    return null;
  }
}
