import { Agent, get } from 'node:http';
import { buffer } from 'node:stream/consumers';

/**
 * Asks once, over a kept connection.
 * @returns whether it was answered; not if the server says that it is too busy
 * @throws Error on any other status
 */
async function ask(agent: Agent, url: string): Promise<boolean> {
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(url, { agent }, resolve).once('error', reject);
  });
  const body = await buffer(answer);
  if (answer.statusCode === 503) return false;
  if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}: ${body}`);
  return true;
}

/**
 * Asks each address in turn, `rounds` times: what else happens on the machine meets all alike.
 * @param connections asked over at once
 * @param milliseconds of each turn
 * @returns answered requests per second, by address
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
          if (await ask(agent, url)) requests += 1;
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
    await ask(agent, url);
    times.push(performance.now() - begun);
  }
  agent.destroy();
  return times.toSorted((one, other) => one - other)[Math.floor(count / 2)] ?? Number.NaN;
}
