import { plural, t } from '@lingui/core/macro';
import { addDays, addHours } from '#server/core/clock.ts';
import { unusableSettings, valuesNow } from '#server/people/settings/service.ts';
import { countValidations, findRun, listFeeds } from './checks-store.ts';
import { attention, broken, type CheckOf, type Finding, good, notSetUp } from './findings.ts';
import { stateOf } from './job-runs.ts';
import { listJobs } from './store.ts';

/** Whether merchants' programmes answer. */
export const validators: CheckOf = {
  id: 'validators',
  name: () => t`Validators`,
  async look({ db, config, clock }) {
    const own = config.validatorsFile === null ? (await valuesNow(db, config)).validators : null;
    if (own?.every(({ isPaused }) => isPaused))
      return notSetUp(t`No merchant’s program is connected: codes are checked by format only.`);
    const { answered, unanswered } = await countValidations(db, addDays(clock(), -7));
    const facts = t`In the last 7 days, merchants’ programs answered ${answered} times and could not be reached ${unanswered} times.`;
    return unanswered > answered
      ? attention(
          facts,
          t`Check their addresses and keys in VALIDATORS_FILE or Admin → Settings, and look at the log.`,
        )
      : good(facts);
  },
};

/** A feed is read several times a day. */
const FEED_HOURS = 48;

export const feeds: CheckOf = {
  id: 'feeds',
  name: () => t`Feeds`,
  async look({ db, config, providers, clock }) {
    const own = config.feedsFile === null ? (await valuesNow(db, config)).feeds : null;
    const names = (own?.filter(({ isPaused }) => !isPaused) ?? providers.feeds()).map(({ name }) => name);
    if (names.length === 0) return notSetUp(t`There are no feeds.`);
    const rows = await listFeeds(db, names);
    const since = addHours(clock(), -FEED_HOURS);
    // One that was never read waits for the job.
    const old = rows.filter(({ fetchedAt }) => fetchedAt !== null && fetchedAt < since);
    const bad = rows.filter((row) => row.problem !== null || old.includes(row));
    if (bad.length === 0)
      return good(plural(rows.length, { one: '# feed was read.', other: '# feeds were read.' }));
    const badNames = bad.map(({ name }) => name).join(', ');
    return attention(
      t`These feeds cannot be read, or have not been read for two days: ${{ names: badNames }}`,
      t`Check their addresses and networks in FEEDS_FILE or Admin → Settings, and look at the log.`,
    );
  },
};

/** Whether what admins have changed counts: after an upgrade, a value can be one that is no longer taken. */
export const changedSettings: CheckOf = {
  id: 'changed-settings',
  name: () => t`Settings changed in Admin`,
  async look({ db, config }) {
    const names = await unusableSettings(db, config);
    if (names.length === 0) return good(t`All of them apply.`);
    const listed = names.join(', ');
    return attention(
      t`This version ignores the stored values of ${listed}. The value from the environment, MARKET_DIR or the default applies instead.`,
      t`Change them again in Admin → Settings. A name that is not there belongs to another version.`,
    );
  },
};

export const jobs: CheckOf = {
  id: 'jobs',
  name: () => t`Jobs`,
  async look({ db, clock }) {
    const now = clock();
    const found = (await listJobs(db)).map((job) => ({ name: job.name, state: stateOf(job, now) }));
    const namesOf = (state: string) =>
      found
        .filter((job) => job.state === state)
        .map(({ name }) => name)
        .join(', ');
    const [late, failing] = [namesOf('late'), namesOf('failing')];
    if (found.every(({ state }) => state === 'never'))
      return attention(t`No job has run yet.`, t`Start the server, and check again in a few minutes.`);
    if (late !== '')
      return broken(
        t`These jobs are late, stuck or not run: ${late}`,
        t`Is a server running? Restart it, and look for “the job queue” in the log. Deadlines, payouts and mail depend on jobs.`,
      );
    if (failing !== '')
      return attention(
        t`The last run of these jobs has failed: ${failing}`,
        t`Admin → System shows their errors.`,
      );
    return good(t`All jobs run.`);
  },
};

/** A backup is to be made daily. */
const BACKUP_HOURS = { old: 48, veryOld: 7 * 24 } as const;

export const backup: CheckOf = {
  id: 'backup',
  name: () => t`Backup`,
  async look({ db, config, clock }) {
    const run = await findRun(db, 'backup');
    const advice = t`Run “npm run backup” daily, and keep the files on another machine. Where your hosting makes snapshots, restore one to see that it works.`;
    if (!run)
      return config.isProduction
        ? attention(t`No backup by “npm run backup” is known.`, advice)
        : notSetUp(t`No backup by “npm run backup” is known.`);
    return judgeAge((clock().getTime() - run.ranAt.getTime()) / 3_600_000, advice);
  },
};

function judgeAge(age: number, advice: string): Finding {
  const hours = Math.max(0, Math.floor(age));
  const facts = plural(hours, {
    0: 'The last backup was made within the last hour.',
    one: 'The last backup was made # hour ago.',
    other: 'The last backup was made # hours ago.',
  });
  if (hours >= BACKUP_HOURS.veryOld) return broken(facts, advice);
  return hours >= BACKUP_HOURS.old ? attention(facts, advice) : good(facts);
}
