import { createRequire } from 'node:module';
import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import type { Config } from './config.ts';
import { isPlainAddress } from './plain-address.ts';
import { addressOf } from './proxies.ts';

/** The program's own log; the log of a request is its child. */
export type ProgramLogger = PinoLogger;

/** The part of the log that writes lines. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>;

/** Loads what only terminals need when the log is one for a terminal. */
const require = createRequire(import.meta.url);

const HIDDEN = '[hidden]';

/** Never written to a log: credentials, codes, and the session cookie. */
const REDACTED = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  ...['password', 'codeValue', 'pin', 'token'].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
];

/**
 * Hides codes of coupons, three levels deep. Not by a path: that would also hide the code of an error (`42P01`,
 * `ECONNRESET`), which says what went wrong.
 */
function hideCodes(value: unknown, depth = 3): unknown {
  if (depth === 0) return value;
  if (Array.isArray(value)) return value.map((item) => hideCodes(item, depth - 1));
  if (!value || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, held]) => [key, key === 'code' ? HIDDEN : hideCodes(held, depth - 1)]),
  );
}

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Logs a request without its query, because people type anything into a search, even a code; and without the token of a
 * calendar's address, in whatever spelling.
 */
const serializers = {
  req: (request: LoggedRequest) => ({
    method: request.method,
    path: isPlainAddress(request.url)
      ? request.url.split('?')[0]?.replace(/^(\/calendar\/).+/, `$1${HIDDEN}`)
      : HIDDEN,
    ip: addressOf(request),
  }),
};

/** The program's log: JSON lines in production, readable lines at a terminal. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'isProduction'>,
  to?: DestinationStream,
): ProgramLogger {
  const options = {
    level: config.logLevel,
    serializers,
    redact: { paths: REDACTED, censor: HIDDEN },
    formatters: { log: (line: object) => hideCodes(line) as Record<string, unknown> },
  };
  if (to) return pino(options, to);
  if (config.isProduction) return pino(options);
  const pretty = require('pino-pretty') as typeof import('pino-pretty');
  return pino(options, pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }));
}
