import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentSchema, loadConfig } from './config.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'clipswap-config-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** The settings of .env.example, by name. */
function exampleSettings(): Record<string, string> {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../.env.example'), 'utf8');
  const lines = text.split('\n').filter((line) => /^[A-Z]/.test(line));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

describe('.env.example', () => {
  it('names exactly the settings that the program reads', () => {
    expect(Object.keys(exampleSettings()).sort()).toEqual(Object.keys(environmentSchema.shape).sort());
  });

  it('gives every setting its default', () => {
    const fromExample = loadConfig({ ...exampleSettings(), DATA_DIR: dataDir });
    const fromNothing = loadConfig({ DATA_DIR: dataDir });
    expect(fromExample).toEqual(fromNothing);
  });
});

describe('loadConfig', () => {
  it('names each setting that is wrong', () => {
    expect(() => loadConfig({ PORT: 'many', SECRET_KEY: 'c2hvcnQ=' })).toThrow(
      /PORT:.*\n.*SECRET_KEY: must be 32 bytes/,
    );
  });

  it('refuses to run in production on generated secrets', () => {
    expect(() => loadConfig({ NODE_ENV: 'production', DATA_DIR: dataDir })).toThrow(
      'Production needs these settings: PUBLIC_URL, DATABASE_URL, SECRET_KEY',
    );
  });

  it('keeps the generated key, readable by its owner alone', () => {
    const first = loadConfig({ DATA_DIR: dataDir }).secretKey;
    expect(first).toHaveLength(32);
    expect(loadConfig({ DATA_DIR: dataDir }).secretKey).toEqual(first);
    expect(statSync(path.join(dataDir, 'secret-key')).mode & 0o077).toBe(0);
  });
});
