import { notifications } from '@mantine/notifications';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import React from 'react';
import { afterEach, beforeAll, vi } from 'vitest';
import { WAIT_MS } from '#tests/support/patience.ts';
import { preloadAll } from '#web/components/on-demand.tsx';

/** What waits for an element tries again and again: the page is printed only when somebody reads the message. */
function elementError(text: string | null, container: Element): Error {
  const error = new Error();
  // The test's own line is the first.
  Error.captureStackTrace(error, elementError);
  const message = () => [text, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperties(error, {
    name: { value: 'TestingLibraryElementError' },
    message: { configurable: true, get: message },
  });
}

configure({ asyncUtilTimeout: WAIT_MS, getElementError: elementError });

// For its warnings, React's development build notes where each element is made, up to a number of them: a tenth of the
// time that these tests take. What fails names its component without it.
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  { configurable: true, get: () => Number.POSITIVE_INFINITY, set: () => {} },
);

// Needed by text fields that grow with their text; happy-dom does not have it.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

// So that a press opens a dialog at once, as where its code has come before.
beforeAll(preloadAll);

// All files of a worker share one window: each test leaves it as it was.
afterEach(() => {
  cleanup();
  notifications.clean();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});
