import { expect, it } from 'vitest';
import { runScript } from '../../tests/processes.ts';

it('a start that is refused prints its sentence, and no stack', async () => {
  const { code, said } = await runScript('start', [], { NODE_ENV: 'test', DEFAULT_LANGUAGE: 'de' });
  expect(said).toBe('These settings are not usable:\n  DEFAULT_LANGUAGE: must be one of en, fr\n');
  expect(code).toBe(1);
});
