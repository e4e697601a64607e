import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

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

/**
 * Asks in turns, `rounds` times: what else happens on the machine meets all alike.
 * @param connections asked over at once
 * @param milliseconds of each turn
 * @returns answered requests per second, by URL
 */
export async function throughput(
  urls: readonly string[],
  { connections, milliseconds, rounds }: { connections: number; milliseconds: number; rounds: number },
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const done = urls.map(() => ({ requests: 0, seconds: 0 }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, url] of urls.entries()) {
      const begun = performance.now();
      let requests = 0;
      const lane = async () => {
        while (performance.now() - begun < milliseconds) {
          if (await ask(agent, { url })) requests += 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, lane));
      const counted = done[at];
      // The first round only warms up.
      if (counted && round > 0) {
        counted.requests += requests;
        counted.seconds += (performance.now() - begun) / 1_000;
      }
    }
  }
  agent.destroy();
  return done.map(({ requests, seconds }) => requests / seconds);
}

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
