import { setTimeout as sleep } from 'node:timers/promises';
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from './core/log.ts';
import { routeOf } from './metrics.ts';

export interface Tracing {
  /** Traces every request of an application. */
  watch(app: FastifyInstance): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

/** A collector that is away does not hold up the end of the program for longer. */
const LAST_SPANS_WITHIN_MS = 2_000;
const WARN_EVERY_MS = 60_000;

/** Starts the OpenTelemetry SDK, which reads the standard OTEL_ settings. Its packages are loaded here and nowhere else. */
export async function startTracing(log: Logger): Promise<Tracing> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  reportFailures(log);
  // The other detectors add the host's name and the command line.
  const named = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new NodeTracerProvider({
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'clipswap' }))
      .merge(named),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  const tracer = trace.getTracer('clipswap');
  const spans = new WeakMap<FastifyRequest, Span>();

  return {
    watch(app) {
      app.addHook('onRequest', async (request) => {
        const { method, id, headers } = request;
        const route = routeOf(request);
        const attributes = { 'http.request.method': method, 'http.route': route, 'clipswap.request_id': id };
        // Baggage and tracestate are the caller's own words.
        const { traceparent } = headers;
        const parent = propagation.extract(context.active(), { traceparent });
        spans.set(
          request,
          tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent),
        );
      });
      // Reading a body from its stream loses the context of `onRequest`.
      app.addHook('preHandler', (request, _reply, done) => {
        const span = spans.get(request);
        if (span) context.with(trace.setSpan(context.active(), span), done);
        else done();
      });
      app.addHook('onResponse', async (request, { statusCode }) => {
        const span = spans.get(request);
        span?.setAttribute('http.response.status_code', statusCode);
        if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
        span?.end();
      });
    },
    async stop() {
      await Promise.race([provider.shutdown(), sleep(LAST_SPANS_WITHIN_MS, null, { ref: false })]);
    },
  };
}

/** The SDK reports every batch that it cannot send: a line a minute is enough. */
function reportFailures(log: Logger): void {
  let last = Number.NEGATIVE_INFINITY;
  const ignore = () => {};
  const error = (reason: string) => {
    if (performance.now() - last < WARN_EVERY_MS) return;
    last = performance.now();
    log.warn({ reason }, 'traces cannot be sent');
  };
  diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
}
