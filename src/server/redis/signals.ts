import { randomUUID } from 'node:crypto';
import { type BrokerListener, RESYNC_ALL, type SignalBroker } from '#server/core/live.ts';
import type { Client, Redis } from './connection.ts';

/** A process that is silent for this many seconds has died or lost its connection. */
const GONE_SECONDS = 15;

/**
 * Notes that a process is alive. One that is no longer may have died between a commit and its signals: everybody looks
 * again. A script, so that exactly one process finds out.
 */
const ALIVE = `
  local now = tonumber(redis.call('time')[1])
  redis.call('zadd', KEYS[1], now, ARGV[1])
  redis.call('expire', KEYS[1], 86400)
  if redis.call('zremrangebyscore', KEYS[1], '-inf', now - tonumber(ARGV[2])) > 0 then
    redis.call('publish', ARGV[3], ARGV[4])
  end`;

/**
 * Carries signals between processes over one channel.
 * @param prefix tells installations apart that share a server
 */
export function createSignalBroker(redis: Redis, prefix: string): SignalBroker {
  const channel = `${prefix}live`;
  const processes = `${prefix}processes`;
  const self = randomUUID();
  let listener: BrokerListener | undefined;
  let isHeard = false;

  async function noteAlive(client: Client): Promise<void> {
    const values = [self, String(GONE_SECONDS), channel, RESYNC_ALL];
    await client.eval(ALIVE, { keys: [processes], arguments: values }).catch((error: unknown) => {
      // Without room for anything new, messages still get through.
      if (!(error instanceof Error && error.message.startsWith('OOM'))) throw error;
    });
  }

  return {
    async publish(texts) {
      const heardBy = await redis.ask((client) =>
        Promise.all(texts.map((text) => client.publish(channel, text))),
      );
      if (heardBy.includes(0)) throw new Error('Nobody has heard it');
    },
    open: () =>
      redis.open({
        async begin(client) {
          await client.subscribe(channel, (text) => listener?.hear(text));
          await noteAlive(client);
          isHeard = true;
          listener?.onHeard();
        },
        pulse: noteAlive,
        end() {
          isHeard = false;
          listener?.onLost();
        },
        async leave(client) {
          await client.zRem(processes, self);
        },
      }),
    isHeard: () => isHeard,
    listen(own) {
      listener = own;
    },
  };
}
