import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openS3Sandbox } from '#tests/support/s3-sandbox.ts';
import { holdTimeLimits } from '#tests/support/time-limits.ts';
import { createMemoryStorage } from './memory-storage.ts';
import { openStorage } from './open-storage.ts';
import { createS3Storage } from './s3-storage.ts';
import { type FileStorage, StorageFailure } from './storage.ts';

let folder: string;
let sandbox: Awaited<ReturnType<typeof openS3Sandbox>>;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clipswap-files-'));
  sandbox = await openS3Sandbox();
});
beforeEach(() => {
  sandbox.asked.length = 0;
  sandbox.faults.length = 0;
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const newName = () => randomBytes(16).toString('base64url');

describe.each<[string, () => FileStorage]>([
  ['in memory', createMemoryStorage],
  ['in a folder', () => openStorage({ kind: 'folder', setting: 'FILES_DIR', folder })],
  ['in a bucket', () => openStorage(sandbox.settings)],
])('files %s', (_where, open) => {
  it('are read as they were written, replacing the previous one', async () => {
    const storage = open();
    const name = newName();
    for (const bytes of [randomBytes(1_000_000), randomBytes(10), Buffer.alloc(0)]) {
      await storage.put(name, bytes);
      expect((await storage.get(name))?.equals(bytes)).toBe(true);
    }
  });

  it('are found under their own names', async () => {
    const storage = open();
    const [first, second] = ['aaaa-1_', 'aaaa-1_x'];
    await storage.put(first, Buffer.from('first'));
    await storage.put(second, Buffer.from('second'));
    await storage.remove(first);
    expect(await storage.get(first)).toBeNull();
    expect(String(await storage.get(second))).toBe('second');
  });

  it('are null when missing, and removing a missing one is no error', async () => {
    const storage = open();
    expect(await storage.get(newName())).toBeNull();
    await storage.remove(newName());
  });

  it('are written whole when several write at once', async () => {
    const storage = open();
    const name = newName();
    const versions = Array.from({ length: 8 }, (_, i) => Buffer.alloc(300_000, i));
    await Promise.all(versions.map((bytes) => storage.put(name, bytes)));
    const kept = await storage.get(name);
    expect(versions.some((bytes) => kept?.equals(bytes))).toBe(true);
  });

  it.each([
    '',
    '.',
    '..',
    '../escaped',
    'a/b',
    'a\\b',
    '/etc/passwd',
    'a.b',
    'a\u0000b',
    'a b',
    'ä',
    'x'.repeat(101),
  ])('are refused with the name %j', async (name) => {
    const storage = open();
    await expect(storage.put(name, Buffer.from('x'))).rejects.toThrow(TypeError);
    await expect(storage.get(name)).rejects.toThrow(TypeError);
    await expect(storage.remove(name)).rejects.toThrow(TypeError);
  });
});

describe('a folder', () => {
  it('keeps files private, in subfolders by their first characters, and nothing half-written', async () => {
    const storage = openStorage({
      kind: 'folder',
      setting: 'FILES_DIR',
      folder: path.join(folder, 'made', 'on', 'demand'),
    });
    await storage.put('abcdef', Buffer.from('kept'));
    const directory = path.join(folder, 'made', 'on', 'demand', 'ab');
    expect(readdirSync(directory)).toEqual(['abcdef']);
    expect(readFileSync(path.join(directory, 'abcdef'), 'utf8')).toBe('kept');
    expect(statSync(path.join(directory, 'abcdef')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('is a storage failure when it cannot be created, and keeps the existing file', async () => {
    const place = path.join(folder, 'blocked');
    writeFileSync(place, 'a file where the folder should be');
    const storage = openStorage({ kind: 'folder', setting: 'FILES_DIR', folder: place });
    await expect(storage.put('abcdef', Buffer.from('x'))).rejects.toThrow(StorageFailure);
    await expect(storage.get('abcdef')).rejects.toThrow(StorageFailure);
    expect(readFileSync(place, 'utf8')).toBe('a file where the folder should be');
  });
});

describe('a bucket', () => {
  /** The whole text of a failure. */
  async function failureOf(asked: Promise<unknown>): Promise<string> {
    const error = await asked.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StorageFailure);
    const { message, cause } = error as StorageFailure;
    const text = `${message} ${cause instanceof Error ? `${cause.message} ${cause.stack}` : ''}`;
    expect(text).not.toContain(sandbox.settings.secretAccessKey);
    expect(text).not.toContain(sandbox.settings.accessKeyId);
    expect(text).not.toMatch(/Signature=/);
    return message;
  }

  it('is addressed by path, with the unchanged bytes', async () => {
    const storage = openStorage(sandbox.settings);
    await storage.put('some-name_1', Buffer.from('kept'));
    await storage.get('some-name_1');
    await storage.remove('some-name_1');
    expect(sandbox.asked).toEqual([
      'PUT /pictures/some-name_1',
      'GET /pictures/some-name_1',
      'DELETE /pictures/some-name_1',
    ]);
  });

  it('refuses a wrong key, region or bucket, with the reason', async () => {
    const { settings } = sandbox;
    const ask = (wrong: Partial<typeof settings>) => openStorage({ ...settings, ...wrong }).get(newName());
    const named = (name: string) => expect.stringContaining(name);
    expect(await failureOf(ask({ secretAccessKey: 'another' as never }))).toEqual(
      named('403 SignatureDoesNotMatch'),
    );
    expect(await failureOf(ask({ accessKeyId: 'ANOTHER' as never }))).toEqual(
      named('403 InvalidAccessKeyId'),
    );
    expect(await failureOf(ask({ region: 'mars-1' as never }))).toEqual(named('403 SignatureDoesNotMatch'));
    // Null means a missing file, not a missing bucket.
    expect(await failureOf(ask({ bucket: 'another' as never }))).toEqual(named('404 NoSuchBucket'));
  });

  it.each([500, 503, 429])('is asked again after one answer %i', async (status) => {
    const storage = openStorage(sandbox.settings);
    const name = newName();
    sandbox.faults.push(status);
    await storage.put(name, Buffer.from('kept'));
    sandbox.faults.push(status);
    expect(String(await storage.get(name))).toBe('kept');
    sandbox.faults.push(status);
    await storage.remove(name);
    expect(sandbox.files.has(name)).toBe(false);
    expect(sandbox.asked).toHaveLength(6);
  });

  it('is given up after repeated errors', async () => {
    sandbox.faults.push(500, 500);
    expect(await failureOf(openStorage(sandbox.settings).put(newName(), Buffer.from('x')))).toBe(
      'The storage answered 500 InternalError',
    );
    expect(sandbox.asked).toHaveLength(2);
  });

  it.each([301, 307, 400, 403])('is not asked again after an answer %i', async (status) => {
    sandbox.faults.push(status);
    expect(await failureOf(openStorage(sandbox.settings).get(newName()))).toContain(String(status));
    expect(sandbox.asked).toHaveLength(1);
  });

  it.each(['hang', 'cut'] as const)(
    'is given up within the time limit when its answers %s',
    async (fault) => {
      const limits = holdTimeLimits();
      const storage = createS3Storage(sandbox.settings, 1_000);
      for (const ask of [
        () => storage.put(newName(), Buffer.from('x')),
        () => storage.get(newName()),
        () => storage.remove(newName()),
      ]) {
        sandbox.faults.push(fault, fault);
        const failure = failureOf(ask());
        for (const left of [1, 0]) {
          await expect.poll(() => sandbox.faults.length, { interval: 5 }).toBeLessThanOrEqual(left);
          if (fault === 'hang') limits.end();
        }
        expect(await failure).toBe('The storage did not answer');
      }
      expect(sandbox.asked).toHaveLength(6);
      expect(limits.given).toEqual(Array(6).fill(1_000));
    },
  );

  it('is a storage failure when it does not exist', async () => {
    const gone = await openS3Sandbox();
    await gone.close();
    expect(await failureOf(openStorage(gone.settings).get(newName()))).toBe('The storage did not answer');
  });
});
