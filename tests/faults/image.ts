import { execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };

const ROOT = path.resolve(import.meta.dirname, '../..');

type Settings = Readonly<Record<string, string>>;

/** A folder with what the image holds: production packages, built files, and nothing else. */
export interface Image {
  readonly folder: string;
  /** The packages that it names, without those that they need. */
  readonly packages: readonly string[];
  /** Runs a command of package.json, or node with these arguments, until it ends. */
  run(command: string | readonly string[], args: readonly string[], settings: Settings): Promise<Ended>;
  /** Starts the program as the image does. */
  start(settings: Settings & { PORT: string }): ReturnType<typeof spawnIn>;
  remove(): void;
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

/** Makes the folder as the Dockerfile makes the image, of links instead of copies where the disk has them. */
export async function makeImage(): Promise<Image> {
  const folder = mkdtempSync(path.join(tmpdir(), 'clipswap-image-'));
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \S+ \/app\/(\S+) /gm)].map(
    ([, name = '']) => name,
  );
  for (const name of copied.filter((each) => each !== 'node_modules')) link(name, folder);
  // Each package that lies within another has its own entry.
  const { packages } = await lockOf(dockerfile);
  for (const [place, { dev = false }] of Object.entries(packages))
    if (place !== '' && !dev) link(place, folder);
  const command = /^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]';
  return {
    folder,
    packages: Object.keys(packages['']?.dependencies ?? {}),
    run(given, args, settings) {
      const words = typeof given === 'string' ? wordsOf(given) : ['node', ...given];
      return runIn(folder, [...words, ...args], settings);
    },
    start: (settings) => spawnIn(folder, JSON.parse(command), settings),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Lock {
  readonly packages: Record<string, { dev?: boolean; dependencies?: Record<string, string> }>;
}

/** The lock file that the image installs from, after npm has left out what the Dockerfile says. */
async function lockOf(dockerfile: string): Promise<Lock> {
  const [, uninstall = ''] = /^RUN npm (uninstall .*)$/m.exec(dockerfile.replaceAll(/\\\n\s*/g, '')) ?? [];
  const cwd = mkdtempSync(path.join(tmpdir(), 'clipswap-lock-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(path.join(ROOT, name), path.join(cwd, name));
    await promisify(execFile)('npm', [...uninstall.split(' '), '--offline'], { cwd });
    return JSON.parse(readFileSync(path.join(cwd, 'package-lock.json'), 'utf8'));
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** The words of a command of package.json, which are plain ones. */
function wordsOf(name: string): string[] {
  const script = new Map(Object.entries(manifest.scripts)).get(name);
  if (script === undefined) throw new Error(`package.json has no command ${name}`);
  return script.split(' ');
}

/** Files that tests have built, and packages that have an entry of their own. */
const LEFT_OUT = /^dist\/(?!web|server)|\/node_modules$/;

/** Links a file, or a folder with all that it holds. A package for another kind of machine is not there. */
function link(name: string, folder: string): void {
  const [from, to] = [path.join(ROOT, name), path.join(folder, name)];
  const found = statSync(from, { throwIfNoEntry: false });
  if (!found) return;
  if (found.isDirectory()) {
    mkdirSync(to, { recursive: true });
    const inner = readdirSync(from).map((entry) => `${name}/${entry}`);
    for (const entry of inner.filter((each) => !LEFT_OUT.test(each))) link(entry, folder);
    return;
  }
  mkdirSync(path.dirname(to), { recursive: true });
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

const environmentOf = (settings: Settings) => ({
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  ...settings,
});

const programOf = (word: string | undefined) => (word === 'node' ? process.execPath : (word ?? ''));

function spawnIn(cwd: string, [program, ...args]: string[], settings: Settings & { PORT: string }) {
  const child = spawn(programOf(program), args, {
    cwd,
    env: environmentOf(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    url: `http://127.0.0.1:${settings.PORT}`,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    output: () => output,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function runIn(cwd: string, [program, ...args]: string[], settings: Settings): Promise<Ended> {
  const options = { cwd, env: environmentOf(settings), maxBuffer: 100_000_000 };
  try {
    const { stdout, stderr } = await promisify(execFile)(programOf(program), args, options);
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}
