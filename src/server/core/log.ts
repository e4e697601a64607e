import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config.ts';

/** The program's own log; a request's log is its child. */
export type ProgramLogger = PinoLogger;

/** What is needed to write a line. */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info' | 'debug'>;

/** Never written to a log, wherever they appear: credentials, codes and the cookie that is a session. */
const REDACTED = [
  'req.headers.cookie',
  'req.headers.authorization',
  'res.headers["set-cookie"]',
  ...['password', 'code', 'codeValue', 'token'].flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
];

interface LoggedRequest {
  readonly method: string;
  readonly url: string;
  readonly ip: string;
}

/** A request without its query: people type what they like into a search, a code among it. */
const serializers = {
  req: ({ method, url, ip }: LoggedRequest) => ({ method, path: url.split('?')[0], ip }),
};

/** The program's log: JSON lines in production, readable lines at a terminal. */
export function createLogger(
  config: Pick<Config, 'logLevel' | 'isProduction'>,
  to?: DestinationStream,
): ProgramLogger {
  const options = { level: config.logLevel, serializers, redact: { paths: REDACTED, censor: '[hidden]' } };
  if (to) return pino(options, to);
  if (config.isProduction) return pino(options);
  return pino(options, pretty({ ignore: 'pid,hostname', translateTime: 'HH:MM:ss', sync: true }));
}
