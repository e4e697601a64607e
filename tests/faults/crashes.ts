import type { Context } from '#server/context/context.ts';
import type { Database } from '#server/database/client.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';

/** Thrown where the simulated process crashes. */
export class Crashed extends Error {
  override readonly name = 'Crashed';
}

/** Before a step, or after it and before its result is known. */
export type CrashPoint = 'before' | 'after' | null;

/** The life of a simulated process. */
export interface Life {
  /** Whether it has crashed. */
  isOver: boolean;
  /** Asked at each step: whether and when the process crashes there. */
  strike(): CrashPoint;
}

/**
 * A context of a process that crashes at the steps at which its life says so: provider calls and transactions. A crashed process
 * reaches neither database nor providers, so error handling after the crash has no effect.
 */
export function createMortalContext<Given extends Context>(ctx: Given, life: Life): Given {
  async function step<Result>(act: () => Promise<Result>): Promise<Result> {
    if (life.isOver) throw new Crashed('The process has crashed already');
    const point = life.strike();
    if (point === 'before') return crash();
    const result = await act();
    return point === 'after' || life.isOver ? crash() : result;
  }

  function crash(): never {
    life.isOver = true;
    throw new Crashed('The process has crashed');
  }

  const { stripe, paypal } = ctx.providers.payments;
  return {
    ...ctx,
    db: crashingDatabase(ctx.db, step, () => life.isOver),
    providers: {
      ...ctx.providers,
      payments: {
        stripe: stripe && crashingProvider(stripe, step),
        paypal: paypal && crashingProvider(paypal, step),
      },
    },
  };
}

type Step = <Result>(act: () => Promise<Result>) => Promise<Result>;

function crashingProvider<Provider extends object>(provider: Provider, step: Step): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'cards' && isVault(value)) return crashingProvider(value, step);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => step(async () => value.apply(target, given));
    },
  });
}

function isVault(value: unknown): value is NonNullable<PaymentProvider['cards']> {
  return typeof value === 'object' && value !== null;
}

/** A transaction is a step: it is not committed, or it is and the process crashes before it knows. */
function crashingDatabase(db: Database, step: Step, hasCrashed: () => boolean): Database {
  return new Proxy(db, {
    get(target, name) {
      if (hasCrashed()) throw new Crashed('The process has crashed already');
      if (name === 'transaction') {
        return () => ({
          execute: (work: Parameters<ReturnType<Database['transaction']>['execute']>[0]) =>
            step(() =>
              target.transaction().execute(async (trx) => {
                const result = await work(trx);
                // A concurrent step has crashed the process.
                if (hasCrashed()) throw new Crashed('The process has crashed already');
                return result;
              }),
            ),
        });
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
