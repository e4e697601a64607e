import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpDashboard } from '#tests/support/web/admin.tsx';

const dashboard = setUpDashboard();

it('runs the checks, shows what is broken first, and when they have last run', async () => {
  dashboard.show('/admin?tab=system');
  expect(screen.queryByText(/^Last run: /)).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Run checks' }));
  const table = within(await screen.findByRole('table', { name: 'Checks' }));
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent);
  // Everybody knows the key of the tests, and nobody listens at their address.
  expect(rows[1]).toMatch(/^Secret keyBrokenSECRET_KEY can be guessed/);
  expect(rows.find((row) => row?.startsWith('Public address'))).toContain('This server cannot reach');
  expect(rows.find((row) => row?.startsWith('Database'))).toMatch(/Good.*Nothing$/);
  expect(rows.at(-1)).toContain('Not set up');
  await screen.findByText(/Last run: .* checks? (found something broken|needs? attention)/);
});
