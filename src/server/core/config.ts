import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** Every setting, as the environment names it. `.env.example` lists the same, and a test compares the two. */
export const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  DATA_DIR: z.string().min(1).default('./.data'),
  SECRET_KEY: z
    .base64()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional(),
  SEED_DEMO: flag.optional(),
  TRUST_PROXY: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  readonly isProduction: boolean;
  readonly host: string;
  readonly port: number;
  /** The address people reach us at, without a trailing slash; its origin is what writes must come from. */
  readonly publicUrl: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** 32 bytes: what the coupon codes are encrypted under. Lose it and they are lost. */
  readonly secretKey: Buffer;
  readonly seedDemo: boolean;
  readonly trustProxy: boolean;
  readonly logLevel: z.infer<typeof environmentSchema>['LOG_LEVEL'];
}

type Environment = Record<string, string | undefined>;

/** The environment, and beneath it the `.env` file of the working folder where there is one. */
function readEnvironment(): Environment {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return process.env;
}

/** The secret key of the embedded default: made once, kept in the data folder for its owner alone. */
function keptSecretKey(dataDir: string): Buffer {
  const file = path.join(dataDir, 'secret-key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    try {
      writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Another process made it between the look and the write: that one counts.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
}

/**
 * Reads the settings, once, at start.
 * @throws Error that names each wrong setting and what it should be.
 */
export function loadConfig(environment: Environment = readEnvironment()): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`These settings are not usable:\n${lines.join('\n')}`);
  }
  const env = parsed.data;
  const isProduction = env.NODE_ENV === 'production';
  if (isProduction) {
    const missing = (['PUBLIC_URL', 'DATABASE_URL', 'SECRET_KEY'] as const).filter((name) => !env[name]);
    if (missing.length > 0) throw new Error(`Production needs these settings: ${missing.join(', ')}`);
  }
  const dataDir = path.resolve(env.DATA_DIR);
  return Object.freeze({
    isProduction,
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    dataDir,
    secretKey: env.SECRET_KEY ? Buffer.from(env.SECRET_KEY, 'base64') : keptSecretKey(dataDir),
    seedDemo: env.SEED_DEMO ?? !isProduction,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
  });
}
