import type { DeliveryProblem } from '#contract/people/webhooks.ts';
import { readRetryAfter } from '#server/core/retry-after.ts';
import {
  AddressRefusal,
  checkedUrl,
  checkReachable,
  guardedLookup,
  internet,
  type Network,
  ownMachine,
} from '../guarded-network.ts';
import type { Webhooks } from './webhooks.ts';

interface SendLimits {
  readonly connectMs: number;
  /** For the whole attempt; people/webhooks keeps an address for itself longer than that. */
  readonly totalMs: number;
}

const SEND_LIMITS: SendLimits = { connectMs: 5_000, totalMs: 10_000 };

/**
 * Posts through the guard against private addresses. `network` and `limits` are for tests.
 * @param own origins of this machine that may be reached, too
 */
export function openWebhooks({
  network = internet,
  own = [],
  limits = SEND_LIMITS,
}: {
  network?: Network;
  own?: readonly string[];
  limits?: SendLimits;
} = {}): Webhooks {
  const networkOf = (url: string) =>
    URL.canParse(url) && own.includes(new URL(url).origin) ? ownMachine : network;
  return {
    async problemOf(url) {
      try {
        await checkReachable(url, networkOf(url));
        return null;
      } catch (error) {
        if (error instanceof AddressRefusal) return error.problem;
        throw error;
      }
    },

    async send(url, headers, body) {
      const { Agent, request } = await import('undici');
      // Each attempt looks the name up again and has a connection of its own.
      const agent = new Agent({
        connect: { timeout: limits.connectMs, lookup: guardedLookup(networkOf(url)) },
      });
      const deadline = AbortSignal.timeout(limits.totalMs);
      try {
        const answer = await request(checkedUrl(url, networkOf(url)), {
          dispatcher: agent,
          signal: deadline,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        });
        answer.body.on('error', () => {}).destroy();
        const problem = problemOfStatus(answer.statusCode);
        const retryAfter = problem && readRetryAfter(answer.headers['retry-after']?.toString(), Date.now());
        return { status: answer.statusCode, problem, ...(retryAfter && { retryAfter }) };
      } catch (error) {
        return { status: null, problem: problemOfError(error, deadline) };
      } finally {
        await agent.destroy();
      }
    },
  };
}

function problemOfStatus(status: number): DeliveryProblem | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'refused';
}

function problemOfError(error: unknown, deadline: AbortSignal): DeliveryProblem {
  if (error instanceof AddressRefusal) {
    return error.problem === 'unknown_host' ? 'unknown_host' : 'not_public';
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return deadline.aborted || /TIMEOUT/.test(code) ? 'too_slow' : 'not_reached';
}
