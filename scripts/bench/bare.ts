import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';
import { ACTS, RECORDED_DEAL, type Statement, statementsFor } from './deals.ts';

/**
 * The reference: nothing but Fastify and pg around the statements that the product sends for an address. It answers
 * /plain/ADDRESS, /named/ADDRESS with statements that are prepared once, and /accepted/DEAL and /completed/DEAL.
 */
const [, , port, url, file = ''] = process.argv;
const recorded: Record<string, Statement[]> = JSON.parse(readFileSync(file, 'utf8'));
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = Fastify();
for (const way of ['plain', 'named'] as const) {
  app.get(`/${way}/*`, async ({ url: asked }) => {
    const statements = recorded[asked.slice(way.length + 1)];
    if (!statements) throw new Error(`Nothing is recorded for ${asked}`);
    const rows = [];
    for (const { text, values } of statements) {
      const name = way === 'named' ? { name: createHash('md5').update(text).digest('hex') } : {};
      rows.push((await pool.query({ ...name, text, values: [...values] })).rows);
    }
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
