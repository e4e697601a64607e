import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';
import postgres from 'postgres';
import { ACTS, RECORDED_DEAL, type Statement, statementsFor } from './deals.ts';

/**
 * The reference: nothing but Fastify and a driver around the statements that the product sends for an address. It answers
 * /WAY/ADDRESS, /accepted/DEAL and /completed/DEAL.
 */
const [, , port, url = '', file = ''] = process.argv;
const recorded: Record<string, Statement[]> = JSON.parse(readFileSync(file, 'utf8'));
const pool = new pg.Pool({ connectionString: url, max: 10 });
const other = postgres(url, { max: 10 });
const app = Fastify();

/** How a statement is sent: by pg, by pg with its plan kept under a name, or by the driver that does the least. */
const WAYS: Readonly<Record<string, (statement: Statement) => Promise<readonly object[]>>> = {
  plain: async ({ text, values }) => (await pool.query({ text, values: [...values] })).rows,
  async named({ text, values }) {
    const name = createHash('md5').update(text).digest('hex');
    return (await pool.query({ name, text, values: [...values] })).rows;
  },
  // It takes any value, as pg does; its types ask for those that it knows.
  'postgres.js': ({ text, values }) => other.unsafe(text, values as string[], { prepare: true }),
};
for (const [way, send] of Object.entries(WAYS)) {
  app.get(`/${way}/*`, async ({ url: asked }) => {
    const statements = recorded[asked.slice(way.length + 1)];
    if (!statements) throw new Error(`Nothing is recorded for ${asked}`);
    const rows = [];
    for (const statement of statements) rows.push(await send(statement));
    return rows;
  });
}
app.get('/', async () => 'ready');
for (const act of ACTS) {
  app.get<{ Params: { deal: string } }>(`/${act}/:deal`, async ({ params }) => {
    const client = await pool.connect();
    let hasFailed = true;
    try {
      const rows = [];
      for (const { text, values } of statementsFor(recorded[act] ?? [], RECORDED_DEAL, Number(params.deal)))
        rows.push((await client.query({ text, values: [...values] })).rows);
      hasFailed = false;
      return rows;
    } finally {
      client.release(hasFailed);
    }
  });
}
await app.listen({ host: '127.0.0.1', port: Number(port) });
