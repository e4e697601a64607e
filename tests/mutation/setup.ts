import { inject } from 'vitest';

/** What Stryker's instruments ask which mutant is active. */
declare global {
  var __stryker__: { activeMutant?: string } | undefined;
}

// The process is kept: until Stryker activates a mutant for the tests of a file, that of the last run would still be there.
const provided: (name: string) => unknown = inject as (name: string) => unknown;
if (globalThis.__stryker__ && provided('mutantActivation') !== 'static')
  globalThis.__stryker__.activeMutant = undefined;
