import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { WAIT_MS } from '#tests/support/patience.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

const require = createRequire(import.meta.url);

const SYSTEM_BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const FLAGS = [
  // Tests run as root in containers, where Chromium's sandbox cannot; the pages are our own.
  '--no-sandbox',
  '--disable-gpu',
  // Debian's wrapper enables it; without a GPU it runs in software and takes three times as long.
  '--disable-gpu-rasterization',
  // Letters stand where they belong, not at whole points, in the package's browser as in others.
  '--font-render-hinting=none',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** In node_modules, so that a new version of the package is unpacked again. */
const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache');

interface Installed {
  readonly executablePath: string;
  readonly env?: Record<string, string>;
}

/**
 * Opens the browser of CHROMIUM_PATH, else that of the npm package, else the system's. The long form prefers the system's.
 * @param flags further command-line flags
 */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await findBrowser();
  return chromium.launch({
    timeout: WAIT_MS,
    executablePath,
    args: [...FLAGS, ...flags],
    ...(env && { env: { ...process.env, ...env } }),
  });
}

let shared: Promise<Browser> | undefined;

/** The browser that the test files of a process share. It ends with the process; a file closes its pages. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes all pages of the shared browser. */
export async function closePages(): Promise<void> {
  const contexts = (await shared)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

async function findBrowser(): Promise<Installed> {
  const { CHROMIUM_PATH } = process.env;
  // Browsers of the system take this from the fonts' own settings.
  const env = { FONTCONFIG_FILE: path.join(import.meta.dirname, 'fonts.conf') };
  if (CHROMIUM_PATH) return { executablePath: CHROMIUM_PATH, env };
  const hasPackage = process.platform === 'linux' && process.arch === 'x64';
  if (hasPackage && shortOrLong(true, false)) return unpackedBrowser();
  for (const executablePath of SYSTEM_BROWSERS) {
    if (await isThere(executablePath)) return { executablePath, env };
  }
  if (hasPackage) return unpackedBrowser();
  throw new Error('The browser tests need a Chromium here: install one, or name it in CHROMIUM_PATH.');
}

function isThere(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The browser of `@sparticuz/chromium`, unpacked once: with the libraries (libnss3 and others) and the fonts that
 * a plain machine lacks.
 */
async function unpackedBrowser(): Promise<Installed> {
  const entry = require.resolve('@sparticuz/chromium');
  const manifest = await readFile(path.resolve(entry, '../../../package.json'), 'utf8');
  const { version }: { version: string } = JSON.parse(manifest);
  const folder = path.join(CACHE, `chromium-${version}`);
  if (!(await isThere(folder))) await unpackOnce(folder);
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

/** Test files begin at the same time: one unpacks, which takes a core some seconds, and the others wait. */
async function unpackOnce(folder: string): Promise<void> {
  const lock = await takeLock(`unpack ${folder}`);
  try {
    if (await isThere(folder)) return;
    await mkdir(CACHE, { recursive: true });
    // Under another name until it is whole.
    const half = await mkdtemp(`${folder}-`);
    try {
      await unpackInto(half, folder);
      await rename(half, folder);
    } finally {
      await rm(half, { recursive: true, force: true });
    }
  } finally {
    lock.close();
  }
}

/** Waits for a lock. It is an abstract socket: one process at a time has the name, until it ends at the latest. */
async function takeLock(name: string): Promise<Server> {
  const address = `\0${createHash('sha256').update(name).digest('hex')}`;
  for (;;) {
    const server = createServer();
    const isTaken = await new Promise<boolean>((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(true) : reject(error);
      server.once('error', fail).listen(address, () => resolve(false));
    });
    if (!isTaken) return server;
    await sleep(100);
  }
}

/**
 * The package unpacks into the temporary folder, and its libraries only where it believes to be in AWS Lambda. It
 * does so as it is loaded: hence a process of its own that is told both.
 * @param home where the folder will stand once it is whole
 */
async function unpackInto(folder: string, home: string): Promise<void> {
  const program = `await (await import('@sparticuz/chromium')).default.executablePath();`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  });
  // The package's own file names folders of Lambda. Its font first, so that text measures alike everywhere; the
  // system's for the characters it lacks.
  const prefer = ['sans-serif', 'system-ui'].map(
    (name) => `<alias><family>${name}</family><prefer><family>Open Sans</family></prefer></alias>`,
  );
  const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir><dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir>
  ${prefer.join('\n  ')}
  <cachedir>${home}/fonts-cache</cachedir>
</fontconfig>
`;
  await writeFile(path.join(folder, 'fonts.conf'), fonts);
}
