import type { Database } from '#server/database/client.ts';
import type { Context } from '#server/domains/context.ts';
import type { PaymentProvider } from '#server/providers/payments.ts';
import type { Dice } from '#server/testing/dice.ts';

/** Thrown when the simulated process dies. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** Dies before a step, or after it and before its result is known. */
type Moment = 'before' | 'after' | null;

/**
 * A context of a process that may die at any step: each provider call and each transaction. A dead process reaches
 * neither database nor providers, so error handling after its death has no effect.
 * @param oneIn its life in steps, on average
 */
export function createMortalContext<Given extends Context>(ctx: Given, dice: Dice, oneIn: number): Given {
  let isDead = false;

  async function step<Result>(act: () => Promise<Result>): Promise<Result> {
    if (isDead) throw new Killed('It is dead already');
    const moment = momentOf(dice, oneIn);
    if (moment === 'before') return die();
    const result = await act();
    return moment === 'after' || isDead ? die() : result;
  }

  function die(): never {
    isDead = true;
    throw new Killed('The process was killed');
  }

  const { stripe, paypal } = ctx.providers.payments;
  return {
    ...ctx,
    db: mortalDatabase(ctx.db, step, () => isDead),
    providers: {
      ...ctx.providers,
      payments: {
        stripe: stripe && mortalProvider(stripe, step),
        paypal: paypal && mortalProvider(paypal, step),
      },
    },
  };
}

type Step = <Result>(act: () => Promise<Result>) => Promise<Result>;

function momentOf(dice: Dice, oneIn: number): Moment {
  if (dice(oneIn) > 0) return null;
  return dice(2) === 0 ? 'before' : 'after';
}

function mortalProvider<Provider extends object>(provider: Provider, step: Step): Provider {
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === 'cards' && isVault(value)) return mortalProvider(value, step);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => step(async () => value.apply(target, given));
    },
  });
}

function isVault(value: unknown): value is NonNullable<PaymentProvider['cards']> {
  return typeof value === 'object' && value !== null;
}

/** A transaction is a step: it is not committed, or it is and the process dies before it knows. */
function mortalDatabase(db: Database, step: Step, isDead: () => boolean): Database {
  return new Proxy(db, {
    get(target, name) {
      if (isDead()) throw new Killed('It is dead already');
      if (name === 'transaction') {
        return () => ({
          execute: (work: Parameters<ReturnType<Database['transaction']>['execute']>[0]) =>
            step(() =>
              target.transaction().execute(async (trx) => {
                const result = await work(trx);
                // Killed meanwhile by a concurrent step.
                if (isDead()) throw new Killed('It is dead already');
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
