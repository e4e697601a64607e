import path from 'node:path';
import { createTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/builders.ts';
import { seedDemoOnce } from '../../scripts/seed.ts';

const WEB_ROOT = path.resolve(import.meta.dirname, '../../dist/web');

export interface Site extends TestApp {
  /** Where a browser finds it. */
  readonly baseUrl: string;
}

/** Opens the marketplace, built web application and all, on a free port and a database of its own. */
export async function openSite({ withDemo }: { withDemo: boolean }): Promise<Site> {
  const config = { seedDemo: withDemo };
  const test = await createTestApp({ webRoot: WEB_ROOT, clock: createTestClock(new Date()), config });
  if (withDemo) await seedDemoOnce({ deps: test.deps, pool: test.database.pool, close: async () => {} });
  const baseUrl = await test.app.listen({ host: '127.0.0.1', port: 0 });
  return { ...test, baseUrl };
}
