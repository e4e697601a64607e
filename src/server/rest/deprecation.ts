import { paths } from '#contract/base/pages.ts';

/** That a call goes away, and when. */
export interface Deprecation {
  /** The day from which on programs should make another call, YYYY-MM-DD. */
  readonly since: string;
  /** The day from which on the call may be gone, YYYY-MM-DD. */
  readonly until: string;
}

/** What a deprecated call answers besides: `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and where to read about it. */
export function deprecationHeaders({ since, until }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Date.parse(since) / 1_000}`,
    Sunset: new Date(until).toUTCString(),
    Link: `<${paths.developers}#changes>; rel="deprecation"; type="text/html"`,
  };
}
