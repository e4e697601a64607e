import path from 'node:path';
import { expect, it } from 'vitest';
import { SCRIPT_BUDGET, weighHome } from '../../scripts/page-weight.ts';

const ROOT = path.resolve(import.meta.dirname, '../../dist/web');

it('the scripts that Home needs before its first coupon stay within their budget', () => {
  const { scriptBytes, scripts } = weighHome(ROOT);
  expect(scripts.length).toBeGreaterThan(2);
  expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET);
});
