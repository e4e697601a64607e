import { notifications } from '@mantine/notifications';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { WAIT_MS } from '#server/testing/patience.ts';

configure({ asyncUtilTimeout: WAIT_MS });

// Fields that grow with their text wait for fonts, of which happy-dom knows nothing.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });

afterEach(() => {
  cleanup();
  notifications.clean();
});
