import { notifications } from '@mantine/notifications';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterEach, beforeAll } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';
import { loadOnDemand } from '#web/components/on-demand.tsx';

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

// Needed by text fields that grow with their text; happy-dom does not have it.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

// So that a press opens a dialog at once, as in a browser that was idle before.
beforeAll(loadOnDemand);

afterEach(() => {
  cleanup();
  notifications.clean();
  sessionStorage.clear();
});
