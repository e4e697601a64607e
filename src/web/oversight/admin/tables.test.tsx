import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { createUser } from '#tests/support/builders.ts';
import { address, dialog, press } from '#tests/support/web/acts.ts';
import { setUpDashboard } from '#tests/support/web/admin.tsx';

const dashboard = setUpDashboard();

const people = () => screen.findByRole('table', { name: 'People' });
const titlesOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('columnheader')
    .map((cell) => cell.textContent);

describe('a table of the dashboard', () => {
  it('is sorted by the title of a column, and the other way round when it is pressed again', async () => {
    dashboard.show('/admin?tab=people');
    press('Sort by Reports', await people());
    expect(address()).toBe('/admin?tab=people&sort=reports-desc');
    press('Reports, sorted in descending order', await people());
    expect(address()).toBe('/admin?tab=people&sort=reports-asc');
    expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/admin/users.csv?sort=reports-asc',
    );
  });

  it('leaves out the columns that were hidden, also after a reload', async () => {
    const first = dashboard.show('/admin?tab=people');
    expect(titlesOf(await people())).toContain('E-mail');
    press('Columns');
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'E-mail' }));
    await waitFor(async () => expect(titlesOf(await people())).not.toContain('E-mail'));
    first.unmount();
    dashboard.show('/admin?tab=people');
    const titles = titlesOf(await people());
    expect(titles).toContain('Role');
    expect(titles).not.toContain('E-mail');
  });

  it('decides about the selected rows with one reason, and says who was left out and why', async () => {
    const [one, two] = [
      await createUser(dashboard.server.ctx, { username: 'several-one' }),
      await createUser(dashboard.server.ctx, { username: 'several-two' }),
    ];
    dashboard.show('/admin?tab=people&q=several-');
    const table = await people();
    fireEvent.click(within(table).getByRole('checkbox', { name: 'Select all rows of this page' }));
    press('Change the status of 2 people');
    const form = await dialog('Change the status of 2 people');
    expect(
      within(form)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['several-two', 'several-one']);
    // Meanwhile one of them becomes an admin.
    await dashboard.server.ctx.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', two.id)
      .execute();
    fireEvent.click(within(form).getByRole('radio', { name: 'Warned' }));
    fireEvent.change(within(form).getByRole('textbox', { name: /Reason/ }), {
      target: { value: 'The same trick.' },
    });
    press('Change statuses', form);
    await within(form).findByText('several-two: No one can change the status of an admin.');
    within(form).getByText(/1 is done\. 1 was not changed:/);
    press('Done', form);
    const row = (await screen.findByRole('link', { name: one.username })).closest('tr');
    await waitFor(() => expect(row?.textContent).toContain('Warned'));
  });
});
