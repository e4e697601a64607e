import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Spent } from './processes.ts';

/** A GET, or a POST of JSON. */
export interface Request {
  readonly url: string;
  readonly body?: string;
  readonly cookie?: string;
}

/**
 * Asks once, over a kept connection.
 * @returns whether it was answered; not if the server says that it is too busy
 * @throws Error on any other status
 */
export async function ask(agent: Agent, { url, body, cookie }: Request): Promise<boolean> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      ...(cookie !== undefined && { cookie }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    request(url, { agent, method, headers }, resolve).once('error', reject).end(body);
  });
  const text = await buffer(answer);
  if (answer.statusCode === 503) return false;
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}: ${text}`);
  return true;
}

/**
 * Lets each server do deals in turn, `rounds` times.
 * @param servers the requests of a deal, one after the other
 * @param deals of each turn; each deal is done once
 * @param first the number of the first deal
 * @returns deals per second, by server
 */
export async function dealsPerSecond(
  servers: readonly ((deal: number) => readonly Request[])[],
  { connections, deals, rounds, first }: Record<'connections' | 'deals' | 'rounds' | 'first', number>,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const seconds = servers.map(() => 0);
  let next = first;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, requestsOf] of servers.entries()) {
      const end = next + deals;
      const begun = performance.now();
      const lane = async () => {
        while (next < end) {
          next += 1;
          for (const each of requestsOf(next - 1)) {
            if (!(await ask(agent, each))) throw new Error(`${each.url} is too busy`);
          }
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
      // The first round only warms up.
      if (round > 0) seconds[at] = (seconds[at] ?? 0) + (performance.now() - begun) / 1_000;
    }
  }
  agent.destroy();
  return seconds.map((sum) => (deals * rounds) / sum);
}

/** What is asked, and who answers. */
interface Target {
  readonly url: string;
  readonly spent: () => Spent;
}

/** What a request costs. */
export interface Cost {
  readonly perSecond: number;
  /** Processor microseconds of a request in the program, in its database and in the load; null where the system does not tell. */
  readonly appMicros: number | null;
  readonly databaseMicros: number | null;
  readonly loadMicros: number;
}

/**
 * Asks in turns, `rounds` times: what else happens on the machine meets all alike.
 * @param connections asked over at once
 * @param milliseconds of each turn
 * @returns what a request costs, by target
 */
export async function throughput(
  targets: readonly Target[],
  { connections, milliseconds, rounds }: { connections: number; milliseconds: number; rounds: number },
): Promise<Cost[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const sums = targets.map(() => ({ requests: 0, seconds: 0, app: 0, database: 0, load: 0 }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, { url, spent }] of targets.entries()) {
      const [begun, before, loadBefore] = [performance.now(), spent(), process.cpuUsage()];
      let requests = 0;
      const lane = async () => {
        while (performance.now() - begun < milliseconds) {
          if (await ask(agent, { url })) requests += 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
      const seconds = (performance.now() - begun) / 1_000;
      const { user, system } = process.cpuUsage(loadBefore);
      const after = spent();
      const sum = sums[at];
      // The first round only warms up.
      if (!sum || round === 0) continue;
      sum.requests += requests;
      sum.seconds += seconds;
      sum.load += (user + system) / 1_000_000;
      // Once the system does not tell, nobody knows the sum.
      sum.app += difference(before.app, after.app);
      sum.database += difference(before.database, after.database);
    }
  }
  agent.destroy();
  return sums.map(({ requests, seconds, app, database, load }) => {
    const micros = (sum: number) => (Number.isNaN(sum) ? null : (1_000_000 * sum) / requests);
    const costs = { appMicros: micros(app), databaseMicros: micros(database) };
    return { perSecond: requests / seconds, ...costs, loadMicros: (1_000_000 * load) / requests };
  });
}

const difference = (before: number | null, after: number | null) =>
  before === null || after === null ? Number.NaN : after - before;

/** @returns the median time of an answer in milliseconds, asked one after the other */
export async function medianLatency(url: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const begun = performance.now();
    await ask(agent, { url });
    times.push(performance.now() - begun);
  }
  agent.destroy();
  return times.toSorted((one, other) => one - other)[Math.floor(count / 2)] ?? Number.NaN;
}
