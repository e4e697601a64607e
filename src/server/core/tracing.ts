import { SpanKind, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api';

/*
 * Spans of OpenTelemetry. Until an SDK is registered (server/tracing.ts) the API does nothing. We make the spans ourselves
 * instead of with its instrumentations, which cannot patch a bundled program, so that nothing gets into them but what is
 * written here: no argument, result, value of a statement, address or text of an error.
 */

const tracer = trace.getTracer('clipswap');

/** Runs `work` in a span below the current one, or in the first span of a new trace. */
export function inSpan<Result>(
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', typeOf(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Runs an SQL statement, whose values are parameters. It gets a span within a trace only, so that polling gets none. */
export function tracedStatement<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  if (!trace.getActiveSpan()) return work();
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  return inSpan('statement', { kind: SpanKind.CLIENT, attributes }, work);
}

/** The same service; each call of a method, all of which return promises, is a span where a trace is under way. */
export function tracedCalls<Service extends object>(name: string, service: Service): Service {
  return new Proxy(service, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      const own = `${name}.${String(key)}`;
      if (typeof value === 'object' && value) return tracedCalls(own, value);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const work = () => value.apply(target, given);
        return trace.getActiveSpan() ? inSpan(own, { kind: SpanKind.CLIENT }, work) : work();
      };
    },
  });
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
