import { randomUUID } from 'node:crypto';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { bidOn } from '#tests/support/bids.ts';
import { createCoupon, createUser, TEST_PASSWORD } from '#tests/support/builders.ts';
import { writePayment } from '#tests/support/ledger.ts';
import { address, press } from '#tests/support/web/acts.ts';
import { setUpDashboard } from '#tests/support/web/admin.tsx';
import { brokenAnswer } from '#tests/support/web/server.tsx';
import { FeeBars } from './fee-bars.tsx';

const dashboard = setUpDashboard();

const refuse = (status: number, code: string) => {
  const wire = { error: 'Refused', code };
  const data = { code: 'X', httpStatus: status, wire };
  return Response.json({ error: { message: 'Refused', code: -32_603, data } }, { status });
};
const heads = (table: HTMLElement) =>
  within(table)
    .getAllByRole('columnheader')
    .map((cell) => cell.textContent);

describe('the dashboard', () => {
  it('has the cards Total Platform Fees, Current Rate, Processed Transactions and Collection Method [spec/3 2.75]', async () => {
    dashboard.show();
    const summary = within(screen.getByRole('region', { name: 'Summary' }));
    await summary.findByText('5%');
    const terms = summary.getAllByRole('term').map(({ textContent }) => textContent);
    expect(terms).toEqual([
      'Total Platform Fees',
      'Current Rate',
      'Processed Transactions',
      'Collection Method',
    ]);
    summary.getByText('Card payment provider');
    summary.getByText('5% from each party');
  });

  it('has the tabs Fee Transactions, Activity Logs and SEO Management, and keeps the tab in the address [spec/3 2.76]', async () => {
    dashboard.show('/admin?period=week&page=2');
    const tabs = screen.getAllByRole('tab').map(({ textContent }) => textContent);
    expect(tabs).toEqual([
      'Fee Transactions',
      'Money',
      'Activity Logs',
      'SEO Management',
      'People',
      'Settings',
      'System',
    ]);
    fireEvent.click(screen.getByRole('tab', { name: 'SEO Management' }));
    expect(address()).toBe('/admin?tab=seo');
  });

  it('shows the fees per week as a table, too', async () => {
    dashboard.show();
    fireEvent.click(await screen.findByRole('button', { name: 'Show as a table' }));
    const table = await screen.findByRole('table', { name: 'Fees per week' });
    expect(heads(table)).toEqual(['Week from', 'Sales', 'Fees']);
    expect(within(table).getAllByRole('row').length).toBe(27);
  });

  it('draws a week as high as its share of the scale', () => {
    const weeks = ['3.26', '0.00', '10.00'].map((fees, index) => ({
      week: `2026-11-0${index + 2}`,
      fees,
      sales: 1,
    }));
    const { container } = render(<FeeBars weeks={weeks} />);
    const bars = [...container.querySelectorAll<HTMLElement>('[style*="height"]')];
    expect(bars.map(({ style }) => style.height)).toEqual(['32.6%', '0%', '100%']);
    expect(container.textContent).toContain('Week from Nov 2, 2026: $3.26 CAD');
  });
});

describe('the fee transactions', () => {
  it('show id, date, coupon, buyer, seller, amount, kept fee and status [spec/3 2.77]', async () => {
    await writePayment(dashboard.server.ctx, 'held');
    dashboard.show();
    const table = await screen.findByRole('table', { name: 'Fee transactions' });
    expect(heads(table)).toEqual([
      'ID',
      'Date',
      'Coupon',
      'Buyer',
      'Seller',
      'Amount',
      'Fee (5% each)',
      'Status',
    ]);
    for (const text of [dashboard.buyer.username, dashboard.seller.username, '$10.00 CAD', '$1.00 CAD']) {
      within(table).getByText(text);
    }
  });

  it('are filtered by period, and so is the CSV export [spec/3 2.78]', async () => {
    dashboard.show();
    fireEvent.change(screen.getByRole('combobox', { name: 'Period' }), { target: { value: 'week' } });
    expect(address()).toBe('/admin?period=week');
    expect(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href')).toBe(
      '/api/admin/platform-fees.csv?period=week',
    );
    await screen.findByRole('table', { name: 'Fee transactions' });
  });

  it('are empty if the server answers 404 [spec/1 1.13]', async () => {
    dashboard.show('/admin', (procedure) =>
      procedure === 'admin.platformFees' ? refuse(404, 'not_found') : undefined,
    );
    await screen.findByRole('heading', { name: 'No fee transactions' });
  });

  it('offer to sign in if the server answers 401 [spec/1 1.13] [spec/3 2.82]', async () => {
    dashboard.show('/admin', (procedure) =>
      procedure === 'admin.platformFees' ? refuse(401, 'unauthorized') : undefined,
    );
    await screen.findByRole('heading', { name: 'You are signed out' });
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth?from=%2Fadmin');
  });
});

describe('the activity logs', () => {
  it('show id, date, user, action and details of money [spec/3 2.80]', async () => {
    await dashboard.server.ctx.db
      .insertInto('transactionLogs')
      .values({
        userId: dashboard.buyer.id,
        paymentId: dashboard.sale.paymentId,
        action: 'payment',
        details: 'Paid 21.00 CAD.',
        createdAt: dashboard.server.ctx.clock(),
      })
      .execute();
    dashboard.show('/admin?tab=activity');
    const table = await screen.findByRole('table', { name: 'Money activity' });
    expect(heads(table)).toEqual(['ID', 'Date', 'User', 'Action', 'Details']);
  });

  it('show the affected person of moderation, too [spec/3 2.80]', async () => {
    const person = await createUser(dashboard.server.ctx);
    const input = { id: person.id, status: 'warned', reason: 'To see the log.' };
    await dashboard.server.trpc(dashboard.admin, 'mutation', 'admin.setUserStatus', input);
    dashboard.show('/admin?tab=activity');
    fireEvent.click(screen.getByRole('radio', { name: 'Moderation' }));
    const table = await screen.findByRole('table', { name: 'Moderation activity' });
    expect(heads(table)).toEqual(['ID', 'Date', 'User', 'Action', 'About', 'Details']);
    within(table).getByText(/To see the log\./);
    expect(within(table).getByRole('link', { name: person.username }).getAttribute('href')).toBe(
      `/users/${person.id}`,
    );
    expect(address()).toBe('/admin?tab=activity&log=moderation');
  });
});

describe('the search engines', () => {
  const submit = () => press('Submit sitemap');

  it('are listed with their answers after a submission [spec/3 2.81]', async () => {
    const data = {
      success: true,
      engines: [
        { name: 'IndexNow', isSetUp: true, success: true, message: 'Accepted 12 addresses.' },
        { name: 'Google', isSetUp: true, success: false, message: 'Refused' },
        { name: 'Bing', isSetUp: false, success: false, message: 'BING_API_KEY is missing.' },
      ],
      time: '2026-11-21T12:00:00.000Z',
      error: null,
    };
    dashboard.show('/admin?tab=seo', (procedure) =>
      procedure === 'admin.submitSitemap' ? Response.json({ result: { data } }) : undefined,
    );
    submit();
    const engines = within(await screen.findByRole('list', { name: 'Search engines' }));
    expect(engines.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'IndexNowAcceptedAccepted 12 addresses.',
      'GoogleNot acceptedRefused',
      'BingNot set upBING_API_KEY is missing.',
    ]);
    await screen.findByText('Sitemap submitted');
  });

  it("show 'Submission Failed' and 'Failed to submit sitemap to search engines' after a failure [spec/3 2.73]", async () => {
    dashboard.show('/admin?tab=seo', (procedure) =>
      procedure === 'admin.submitSitemap' ? brokenAnswer() : undefined,
    );
    submit();
    await screen.findByText('Submission Failed');
    screen.getByText('Failed to submit sitemap to search engines');
  });

  it('that are not set up are no failure [decisions 6.0.8]', async () => {
    const data = {
      success: false,
      engines: [{ name: 'Bing', isSetUp: false, success: false, message: 'BING_API_KEY is missing.' }],
      time: '2026-11-21T12:00:00.000Z',
      error: null,
    };
    dashboard.show('/admin?tab=seo', (procedure) =>
      procedure === 'admin.submitSitemap' ? Response.json({ result: { data } }) : undefined,
    );
    submit();
    await screen.findByText('No search engine is set up');
    expect(screen.queryByText('Submission Failed')).toBeNull();
  });

  it('are linked beside the sitemap', () => {
    dashboard.show('/admin?tab=seo');
    expect(screen.getByRole('link', { name: /^View sitemap/ }).getAttribute('href')).toBe('/sitemap.xml');
    for (const name of [/^Google Search Console/, /^Bing Webmaster Tools/]) {
      expect(screen.getByRole('link', { name }).getAttribute('rel')).toContain('noopener');
    }
  });
});

it('the refusals show who was refused what, from where and how often', async () => {
  const member = await createUser(dashboard.server.ctx);
  for (const _ of [1, 2])
    await dashboard.server.call(member, { method: 'GET', url: '/api/admin/stats', ip: '203.0.113.7' });
  await dashboard.server.deps.deniedRequests.flush();
  dashboard.show('/admin?tab=activity');
  fireEvent.click(await screen.findByRole('radio', { name: 'Refusals' }));
  const table = await screen.findByRole('table', { name: 'Refusals' });
  expect(heads(table)).toEqual(['Last', 'What', 'Times per hour', 'Account', 'Address', 'Call']);
  const row = within(table).getByText(member.username).closest('tr');
  expect(row?.textContent).toMatch(/Not allowed2.*203\.0\.113\.7admin\.stats$/);
  expect(address()).toBe('/admin?tab=activity&log=denied-requests');
});

describe('the people', () => {
  it('are found by a part of the name, and their status cannot change without a reason [spec/3 2.85]', async () => {
    const person = await createUser(dashboard.server.ctx, { username: 'somebody-to-find' });
    dashboard.show('/admin?tab=people&q=body-to-f');
    fireEvent.click(await screen.findByRole('button', { name: `Change status of ${person.username}` }));
    const dialog = within(
      await screen.findByRole('dialog', { name: `Change the status of ${person.username}` }),
    );
    fireEvent.click(dialog.getByRole('radio', { name: 'Suspended' }));
    fireEvent.click(dialog.getByRole('button', { name: 'Change status' }));
    await dialog.findByText('Please say why: we record it in the audit log');
    fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), { target: { value: 'A test of it.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Change status' }));
    await screen.findByText(`${person.username}: Suspended`);
    const table = within(await screen.findByRole('table', { name: 'People' }));
    await table.findByText('Suspended');
  });

  it('with a second factor have a button to reset it, which asks for proof and the password of the admin', async () => {
    const [person, without] = [
      await createUser(dashboard.server.ctx),
      await createUser(dashboard.server.ctx),
    ];
    const { db, clock } = dashboard.server.ctx;
    const factor = { userId: person.id, secret: Buffer.from('sealed'), createdAt: clock() };
    await db
      .insertInto('secondFactors')
      .values({ ...factor, enabledAt: clock() })
      .execute();
    dashboard.show('/admin?tab=people');
    fireEvent.click(await screen.findByRole('button', { name: `Reset second factor of ${person.username}` }));
    expect(screen.queryByRole('button', { name: `Reset second factor of ${without.username}` })).toBeNull();
    const dialog = within(
      await screen.findByRole('dialog', { name: `Reset the second factor of ${person.username}` }),
    );
    fireEvent.click(dialog.getByRole('button', { name: 'Reset second factor' }));
    await dialog.findByText('Please say how they proved who they are: we record it in the audit log');
    fireEvent.change(dialog.getByRole('textbox', { name: /How they proved/ }), {
      target: { value: 'A call to the number on the invoice.' },
    });
    fireEvent.change(dialog.getByLabelText(/Your password/), { target: { value: TEST_PASSWORD } });
    fireEvent.click(dialog.getByRole('button', { name: 'Reset second factor' }));
    await screen.findByText(`${person.username} can sign in with just the password.`);
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: `Reset second factor of ${person.username}` })).toBeNull(),
    );
  });
});

describe('the system', () => {
  it('shows the health of jobs, webhooks, mail and new codes', async () => {
    const at = dashboard.server.ctx.clock();
    await dashboard.server.ctx.db
      .insertInto('jobRuns')
      .values([
        { name: 'deadlines', cron: '* * * * *', startedAt: at, succeededAt: at, durationMs: 850 },
        { name: 'clean-up', cron: '7 * * * *', startedAt: at, lastError: 'No space left', durationMs: 20 },
      ])
      .execute();
    const owner = await createUser(dashboard.server.ctx);
    const { id: couponId } = await createCoupon(dashboard.server.ctx, owner, { merchant: 'Corner Coffee' });
    const { id: bidId } = await bidOn(dashboard.server.ctx, await createUser(dashboard.server.ctx), {
      id: couponId,
    });
    const given = { timing: 'after', state: 'given_up', newCode: Buffer.from('sealed'), key: randomUUID() };
    await dashboard.server.ctx.db
      .insertInto('reissues')
      .values({ couponId, bidId, receiverId: owner.id, ...given, createdAt: at, updatedAt: at })
      .execute();
    dashboard.show('/admin?tab=system');
    const jobs = within(await screen.findByRole('table', { name: 'Jobs' }));
    const rows = jobs.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows.find((row) => row?.startsWith('Deadlines'))).toMatch(/OK.*850 ms/);
    expect(rows.find((row) => row?.startsWith('Clean up'))).toMatch(/Failing.*No space left/);
    screen.getByRole('table', { name: 'Webhooks' });
    await waitFor(() => screen.getByRole('region', { name: 'Mail' }));
    const codes = within(screen.getByRole('region', { name: 'New codes' }));
    codes.getByText('No code is being made.');
    codes.getByRole('row', { name: new RegExp(`#${couponId} Corner Coffee`) });
  });
});
