import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Config, loadConfig } from '#server/core/config.ts';
import type { Environment } from '#server/core/environment.ts';
import type { CheckOf, Examined } from '#server/oversight/checks/findings.ts';
import { createMemoryStorage } from '#server/providers/storage/memory-storage.ts';
import type { TestContext } from './builders.ts';

/** The key is made up of this text; it only has to be 32 bytes that look drawn. */
export const CHECKED_KEY = Buffer.from(
  'f3a97c01d2e6b84590fe1122ab34cd77e8190a5b6c3d4e2f81726354a5b6c7d8',
  'hex',
);

/** The settings of an installation, with these. */
export function configOf(environment: Environment = {}): Config {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'clipswap-checks-'));
  return loadConfig({
    NODE_ENV: 'test',
    DATA_DIR,
    SECRET_KEY: CHECKED_KEY.toString('base64'),
    ...environment,
  });
}

type Changes = Partial<Omit<Examined, 'providers'>> & { readonly providers?: Partial<Examined['providers']> };

/** Checks of a working installation on this database, with what a test changes of it. */
export function checking(ctx: TestContext) {
  const examined = ({ environment = {}, providers, ...rest }: Changes = {}): Examined => ({
    config: configOf(environment),
    db: ctx.db,
    clock: ctx.clock,
    replica: null,
    live: { transport: () => 'database' },
    arrival: null,
    mailTo: null,
    ...rest,
    environment,
    providers: {
      payments: { stripe: null, paypal: null },
      storage: createMemoryStorage(),
      mail: null,
      feeds: () => [],
      ...providers,
    },
  });
  const look = (check: CheckOf, changes?: Changes) => check.look(examined(changes));
  return {
    examined,
    look,
    /** What a check finds of several installations. */
    states: (check: CheckOf, ...all: readonly Changes[]) =>
      Promise.all(all.map(async (changes) => (await look(check, changes))?.state)),
  };
}
