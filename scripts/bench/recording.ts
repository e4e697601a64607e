import pg from 'pg';
import { buildApp } from '#server/app.ts';
import { loadConfig } from '#server/core/config.ts';
import { createLogger } from '#server/core/log.ts';
import { openProgram } from '#server/program.ts';
import { ACTS, type Act, RECORDED_DEAL, requestOf, type Statement } from './deals.ts';
import type { Request } from './load.ts';

/** Asks the product once, and returns the statements that it sends. */
type Recorder = (request: Request) => Promise<Statement[]>;

/**
 * Records what the product asks the database when it answers each of these addresses.
 * @param settings of the environment
 * @returns the statements by address
 */
export function recordStatements(
  settings: Record<string, string>,
  addresses: readonly string[],
): Promise<Record<string, Statement[]>> {
  return withRecording(settings, async (record) => {
    const recorded: Record<string, Statement[]> = {};
    for (const url of addresses) {
      // The first answer fills what is kept between requests.
      await record({ url });
      recorded[url] = await record({ url });
    }
    return recorded;
  });
}

/** Records the acts on deal 2; deal 1 fills what is kept between requests. */
export function recordActs(settings: Record<string, string>): Promise<Record<Act, Statement[]>> {
  return withRecording(settings, async (record) => {
    for (const act of ACTS) await record(requestOf(act, RECORDED_DEAL - 1));
    return {
      accepted: await record(requestOf('accepted', RECORDED_DEAL)),
      completed: await record(requestOf('completed', RECORDED_DEAL)),
    };
  });
}

async function withRecording<Result>(
  settings: Record<string, string>,
  work: (record: Recorder) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(settings);
  const program = await openProgram(config, createLogger(config));
  // They are read again every two seconds, which no request asks for.
  program.deps.settings.close();
  const app = await buildApp(program.deps, { webRoot: '', isReady: async () => true });
  const sent: Statement[] = [];
  const { query } = pg.Client.prototype;
  const recording: (this: pg.Client, ...given: unknown[]) => unknown = function record(...given) {
    const [config, values] = given as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    if (typeof config === 'object') sent.push({ text: config.text, values: values ?? config.values ?? [] });
    return Reflect.apply(query, this, given);
  };
  try {
    return await work(async ({ url, body, cookie }) => {
      sent.length = 0;
      Reflect.set(pg.Client.prototype, 'query', recording);
      const answer = await app.inject({
        url,
        method: body === undefined ? 'GET' : 'POST',
        ...(body !== undefined && { body }),
        headers: {
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(cookie !== undefined && { cookie }),
        },
      });
      Reflect.set(pg.Client.prototype, 'query', query);
      if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}: ${answer.body}`);
      return [...sent];
    });
  } finally {
    await app.close();
    await program.close();
  }
}
