import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { setUpDashboard } from '#web/testing/admin.tsx';

const dashboard = setUpDashboard();

it('runs the checks, shows what is broken first, and when they have last run', async () => {
  dashboard.show('/admin?tab=system');
  expect(screen.queryByText(/^Last run: /)).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Run checks' }));
  const table = within(await screen.findByRole('table', { name: 'Checks' }));
  const rows = table.getAllByRole('row').map(({ textContent }) => textContent);
  // Nobody listens at the address of the tests.
  expect(rows[1]).toMatch(/^Public address(Broken|Needs attention)This server cannot reach/);
  expect(rows.find((row) => row?.startsWith('Database'))).toMatch(/Good.*Nothing$/);
  expect(rows.at(-1)).toContain('Not set up');
  await screen.findByText(/Last run: .* checks? (found something broken|needs? attention)/);
});
