import type { SignalBroker } from '#server/core/live.ts';
import type { Logger } from '#server/core/log.ts';
import type { ConnectionPool } from './connections.ts';

export const CHANNEL = 'clipswap_live';

/** What a statement selects to announce texts. The database sends them at the commit, equal ones of a transaction once. */
export const NOTIFYING = `pg_notify('${CHANNEL}', payload)`;
export const NOTIFY = `select ${NOTIFYING} from unnest($1::text[]) as payload`;

/** The answer to a statement that only announces. */
const NOTHING = { command: 'SELECT', rowCount: 0, rows: [] };
type Nothing = typeof NOTHING;

/** What a connection announces through a broker. */
export interface Announcements {
  /** Carries out a statement, and keeps what it announces from the database. */
  query<Answer extends { command: string; rows: unknown[] }>(
    statement: string,
    values: readonly unknown[],
    execute: (statement: string) => Promise<Answer>,
  ): Promise<Answer | Nothing>;
  /** Holds back what follows until `send`. */
  hold(): void;
  send(): void;
}

/** Everything that this process announces through a broker. */
export interface Outgoing {
  /** For one connection. */
  announcements(): Announcements;
  /** Resolves when everything is sent. */
  settle(): Promise<void>;
}

/**
 * Does for a broker what NOTIFY does: texts that are announced are held, and sent after the commit. What the broker does
 * not take, the database announces after all. Nobody waits for either.
 */
export function createOutgoing(options: {
  readonly broker: SignalBroker;
  readonly pool: Pick<ConnectionPool, 'query'>;
  readonly log: Logger | undefined;
}): Outgoing {
  const { broker, pool, log } = options;
  const underWay = new Set<Promise<void>>();

  async function publish(texts: readonly string[]): Promise<void> {
    try {
      await broker.publish(texts);
    } catch {
      await pool.query(NOTIFY, [texts]).catch((error: unknown) => {
        log?.warn({ err: error }, 'live events were lost');
      });
    }
  }

  function send(texts: readonly string[]): void {
    if (texts.length === 0) return;
    const sending = publish(texts).finally(() => underWay.delete(sending));
    underWay.add(sending);
  }

  return {
    announcements() {
      let held: Set<string> | undefined;
      function announce(texts: readonly string[]): void {
        if (held) for (const text of texts) held.add(text);
        else send(texts);
      }
      return {
        async query(statement, values, execute) {
          if (!statement.includes(NOTIFYING)) {
            const answer = await execute(statement);
            // Also to a commit, when a statement before has failed.
            if (answer.command === 'ROLLBACK') held = undefined;
            return answer;
          }
          if (statement === NOTIFY) announce(values[0] as string[]);
          else {
            const { rows } = await execute(statement.replace(NOTIFYING, 'payload'));
            announce((rows as { payload: string }[]).map(({ payload }) => payload));
          }
          return NOTHING;
        },
        hold() {
          held = new Set();
        },
        send() {
          send([...(held ?? [])]);
          held = undefined;
        },
      };
    },
    async settle() {
      await Promise.all(underWay);
    },
  };
}
