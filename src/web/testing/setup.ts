import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';

configure({ asyncUtilTimeout: WAIT_MS });

// Needed by text fields that grow with their text; happy-dom does not have it.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

afterEach(() => {
  cleanup();
  notifications.clean();
  sessionStorage.clear();
});
