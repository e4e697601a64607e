import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStorage } from '#server/providers/storage/open-storage.ts';
import { shortOrLong } from '#tests/support/rounds.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const isRoot = process.getuid?.() === 0;
/** Nobody: what USER node is in the container, an account without any rights. */
const UID = 65_534;

let place: string;
beforeEach(() => {
  place = mkdtempSync(path.join(tmpdir(), 'clipswap-deployed-'));
  chmodSync(place, 0o755);
});
afterEach(() => rmSync(place, { recursive: true }));

/** A folder as the container has them: its user's own, or one that the user may only read. */
function makeFolder(name: string, isOwn: boolean): string {
  const folder = path.join(place, name);
  mkdirSync(folder);
  if (isRoot && isOwn) chownSync(folder, UID, UID);
  else chmodSync(folder, isOwn ? 0o700 : 0o555);
  return folder;
}

/** Starts as far as the storage, in the working folder and as the user of the container, and keeps a picture. */
async function keepPicture(cwd: string, settings: Record<string, string>): Promise<string> {
  const module = (file: string) => JSON.stringify(path.join(ROOT, 'src/server', file));
  const script = `
    const { loadConfig } = await import(${module('core/config.ts')});
    const { checkStorage, openStorage } = await import(${module('providers/storage/open-storage.ts')});
    process.chdir(${JSON.stringify(cwd)});
    ${isRoot ? `process.setgroups([]); process.setgid(${UID}); process.setuid(${UID});` : ''}
    try {
      const { storage } = loadConfig();
      await checkStorage(storage);
      await openStorage(storage).put('picture', Buffer.from('kept'));
      console.log('kept');
    } catch (error) { console.log(error.message); }`;
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://clipswap.example',
    DATABASE_URL: 'postgres://clipswap@127.0.0.1/clipswap',
    SECRET_KEY: randomBytes(32).toString('base64'),
    ...settings,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', './scripts/build/typescript.js', '--input-type=module', '--eval', script],
    { cwd: ROOT, env },
  );
  return stdout.trim();
}

describe('the program in its container, where the working folder belongs to root', () => {
  it.each(shortOrLong(['FILES_DIR'], ['FILES_DIR', 'DATA_DIR']))(
    'refuses to start where it may not write, and names %s',
    async (name) => {
      const app = makeFolder('app', false);
      const said = await keepPicture(app, { [name]: path.join(app, 'pictures') });
      expect(said).toMatch(
        new RegExp(`^${name}: pictures cannot be written to ${app}/pictures\\S* \\(EACCES\\)`),
      );
    },
  );

  it('keeps pictures on a volume of its own, and no trace of the check', async () => {
    const app = makeFolder('app', false);
    const files = path.join(makeFolder('volume', true), 'files');
    expect(await keepPicture(app, { FILES_DIR: files })).toBe('kept');
    expect(readdirSync(files)).toEqual(['pi']);
    expect(readFileSync(path.join(files, 'pi/picture'), 'utf8')).toBe('kept');
  });
});

it('a file in the place of the folder is refused by name', async () => {
  const folder = path.join(place, 'taken');
  writeFileSync(folder, 'a file');
  await expect(checkStorage({ kind: 'folder', folder, setting: 'FILES_DIR' })).rejects.toThrow(
    /^FILES_DIR: pictures cannot be written to .*taken \(EEXIST\)/,
  );
});

it('compose.yaml keeps pictures on a volume, in a folder that the image gives to its user', () => {
  const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
  const [compose, dockerfile] = [read('compose.yaml'), read('Dockerfile')];
  const folder = /^ {6}FILES_DIR: (\S+)$/m.exec(compose)?.[1] ?? '';
  const [, volume, mount] = /^ {6}- (\w+):(\/var\/lib\/clipswap)$/m.exec(compose) ?? [];
  expect(path.dirname(folder)).toBe(mount);
  expect(compose).toMatch(new RegExp(`^volumes:\n(?: {2}\\w+:\n)*? {2}${volume}:$`, 'm'));
  const user = /^USER (\w+)$/m.exec(dockerfile)?.[1];
  expect(dockerfile).toContain(
    `RUN install --directory --owner=${user} --group=${user} --mode=0700 ${mount}\n`,
  );
});
