/**
 * `npm run doctor [-- --mail you@example.org]`: checks the settings, the database, the address, the storage, mail and what
 * else this installation needs, and says what to do. It sends a test email to the address that is given. Exits with 1 when something is
 * broken. What only a visitor's request shows, such as the proxy's headers, is in Admin -> System.
 */

import { parseArgs } from 'node:util';
import type { Check, CheckState } from '#contract/oversight/operations.ts';
import { systemClock } from '#server/core/clock.ts';
import { readEnvironment } from '#server/core/environment.ts';
import { createLogger } from '#server/core/log.ts';
import { runChecks } from '#server/oversight/checks/service.ts';
import { openForChecks } from '#server/program.ts';
import { loadConfigWithSandbox } from './sandbox.ts';

const MARKS: Record<CheckState, string> = {
  good: 'good',
  attention: 'ATTENTION',
  broken: 'BROKEN',
  not_set_up: 'not set up',
};

const indented = (text: string) => text.replaceAll('\n', '\n    ');

/** What is printed of a check. */
function linesOf({ name, state, found, advice }: Check): string {
  return [`${MARKS[state]}: ${name}`, found, ...(advice === null ? [] : [`-> ${advice}`])]
    .map(indented)
    .join('\n    ');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { mail: { type: 'string' } } });
  const environment = { ...readEnvironment() };
  const config = await loadConfigWithSandbox();
  // What goes wrong is in what is printed.
  const log = createLogger({ ...config, logLevel: 'silent' });
  const opened = await openForChecks(config, log);
  try {
    const given = { config, environment, clock: systemClock, arrival: null, mailTo: values.mail ?? null };
    const { checks } = await runChecks({ ...opened, ...given });
    for (const check of checks) console.log(linesOf(check));
    const count = (state: CheckState) => checks.filter((check) => check.state === state).length;
    console.log(`\n${count('broken')} broken, ${count('attention')} to look at, ${count('good')} good.`);
    if (count('broken') > 0) process.exitCode = 1;
  } finally {
    await opened.close();
  }
}

main()
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    console.error(`BROKEN: The checks cannot begin\n    ${indented(message)}`);
    process.exitCode = 1;
  })
  // A connection that hangs, which a check has told of, does not keep the program.
  .finally(() => process.exit());
