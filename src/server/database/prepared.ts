import type { CompiledQuery } from 'kysely';
import type { Database, Trx } from './client.ts';
import type { NamedQuery } from './driver.ts';

/**
 * Runs a query as a named statement of pg, so that each connection plans it once. It is for what nearly every request
 * asks, where planning is most of the work, and whose rows are found in the same way whatever the values are.
 * @param name always for the same SQL: pg refuses another text under a name it knows
 */
export async function prepared<Row>(
  db: Database | Trx,
  name: string,
  query: { compile(db: Database | Trx): CompiledQuery<Row> },
): Promise<Row[]> {
  const named: NamedQuery<Row> = { ...query.compile(db), name };
  return (await db.executeQuery<Row>(named)).rows;
}

/**
 * A query for `prepared` that Kysely builds and compiles once: doing so for each call was a twelfth of what one coupon costs
 * Node.
 * @param build gets a stand-in for each value, which it only hands on to the query
 * @returns asks it with the values of one call
 */
export function createPrepared<Values extends object, Row>(
  name: string,
  build: (db: Database | Trx, values: Values) => { compile(db: Database | Trx): CompiledQuery<Row> },
): (db: Database | Trx, values: Values) => Promise<Row[]> {
  let compiled: { query: CompiledQuery<Row>; keys: readonly (string | symbol | null)[] } | undefined;

  function compile(db: Database | Trx) {
    const standIns = new Map<unknown, string | symbol>();
    const values = new Proxy<Values>(Object.create(null), {
      get(_, key) {
        const standIn = {};
        standIns.set(standIn, key);
        return standIn;
      },
    });
    const query = build(db, values).compile(db);
    return { query, keys: query.parameters.map((parameter) => standIns.get(parameter) ?? null) };
  }

  return (db, values) => {
    compiled ??= compile(db);
    const { query, keys } = compiled;
    const parameters = query.parameters.map((parameter, place) => {
      const key = keys[place] ?? null;
      return key === null ? parameter : (Reflect.get(values, key) ?? null);
    });
    return prepared(db, name, { compile: () => ({ ...query, parameters }) });
  };
}
