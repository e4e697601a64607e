import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../browser/site.ts';
import { startServer } from '../processes.ts';
import { EXPLAINED } from './explained.ts';
import { isInstalled } from './run.ts';
import { type Finding, type Target, TOOLS } from './tools.ts';

/**
 * `npm run audit` starts the marketplace on this machine with the demo data, lets other people's tools attack it, and prints
 * what they have found. It installs nothing, and asks nothing but the server that it has started. It ends with status 1 for
 * what docs/security.md does not explain. `--tool ffuf` runs one; several may be given.
 */
const { values } = parseArgs({ options: { tool: { type: 'string', multiple: true } } });
const unknown = values.tool?.find((name) => !TOOLS.some((tool) => tool.name === name));
if (unknown !== undefined)
  throw new Error(`${unknown} is none of: ${TOOLS.map(({ name }) => name).join(', ')}`);

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** The parameters that the API describes, by the path of a call that reads. */
async function readCalls(url: string): Promise<Target['calls']> {
  const answer = await fetch(`${url}/api/openapi.json`);
  const { paths, components } = (await answer.json()) as {
    paths: Record<string, { get?: { parameters?: (Parameter | { $ref: string })[] } }>;
    components: { parameters: Record<string, Parameter> };
  };
  const read = (given: Parameter | { $ref: string }) =>
    '$ref' in given ? components.parameters[given.$ref.split('/').at(-1) ?? ''] : given;
  return Object.entries(paths).flatMap(([called, { get }]) =>
    get
      ? [
          {
            path: called.replace(/\{\w+\}/g, '1'),
            names: (get.parameters ?? []).flatMap((given) => {
              const parameter = read(given);
              return parameter?.in === 'query' ? [parameter.name] : [];
            }),
          },
        ]
      : [],
  );
}

const folder = await mkdtemp(path.join(tmpdir(), 'audit-'));
const port = await freePort();
say('The marketplace starts with the demo data, which takes a minute or two …');
const server = await startServer({
  PORT: String(port),
  DATA_DIR: path.join(folder, 'data'),
  NODE_ENV: 'development',
  SEED_DEMO: 'true',
});
const rows: { tool: string; found: string; where: string; explained: string }[] = [];
try {
  const target: Target = { url: server.url, folder, calls: await readCalls(server.url) };
  for (const tool of TOOLS.filter(({ name }) => !values.tool || values.tool.includes(name))) {
    const row = (finding: Finding) => ({
      tool: tool.name,
      found: finding.what.slice(0, 90),
      where: finding.where.slice(0, 60),
      explained: EXPLAINED.find((one) => one.tool === tool.name && one.what.test(finding.what))?.why ?? 'NO',
    });
    if (!(await isInstalled(tool.name))) {
      say(`${tool.name} is not installed: apt-get install ${tool.name}`);
      continue;
    }
    const begun = Date.now();
    const found = await tool.attack(target);
    if (!server.isAlive()) found.push({ what: 'The server has ended', where: server.output().slice(-200) });
    say(`${tool.name}: ${found.length} found in ${Math.round((Date.now() - begun) / 1_000)} s`);
    rows.push(...found.map(row));
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
for (const { tool, found, where, explained } of rows) say([tool, found, where, explained].join(' | '));
process.exitCode = rows.some(({ explained }) => explained === 'NO') ? 1 : 0;
