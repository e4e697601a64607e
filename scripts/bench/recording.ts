import pg from 'pg';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { openProgram } from '#server/program.ts';

/** A statement as the product sends it. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Records what the product asks the database when it answers each of these addresses.
 * @param settings of the environment
 * @returns the statements by address
 */
export async function recordStatements(
  settings: Record<string, string>,
  addresses: readonly string[],
): Promise<Record<string, Statement[]>> {
  const config = loadConfig(settings);
  const program = await openProgram(config, createLogger(config));
  const app = await buildApp(program.deps, { webRoot: '', sandbox: null, isReady: async () => true });
  const sent: Statement[] = [];
  const { query } = pg.Client.prototype;
  const recording: (this: pg.Client, ...given: unknown[]) => unknown = function record(...given) {
    const [config, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    if (typeof config === 'object') sent.push({ text: config.text, values: values ?? config.values ?? [] });
    return Reflect.apply(query, this, given);
  };
  try {
    const recorded: Record<string, Statement[]> = {};
    for (const url of addresses) {
      // The first answer fills what is kept between requests.
      for (let round = 0; round < 2; round += 1) {
        sent.length = 0;
        Reflect.set(pg.Client.prototype, 'query', recording);
        const { statusCode, body } = await app.inject({ url });
        Reflect.set(pg.Client.prototype, 'query', query);
        if (statusCode !== 200) throw new Error(`${url} answers ${statusCode}: ${body}`);
      }
      recorded[url] = [...sent];
    }
    return recorded;
  } finally {
    await app.close();
    await program.close();
  }
}
