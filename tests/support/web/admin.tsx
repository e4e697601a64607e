import { afterAll, beforeAll } from 'vitest';
import type { Actor } from '#server/context/context.ts';
import { createTestApp, type TestApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { insertHeldSale, type TestSale } from '#tests/support/sales.ts';
import { Component as AdminPage } from '#web/pages/admin.tsx';
import { type Intercept, renderWithServer } from './server.tsx';

interface Dashboard {
  readonly server: TestApp;
  readonly admin: Actor;
  readonly buyer: Actor;
  readonly seller: Actor;
  /** The buyer's purchase from the seller. */
  readonly sale: TestSale;
  /** Shows the page to the admin. */
  show(address?: string, intercept?: Intercept): ReturnType<typeof renderWithServer>;
}

/** The admins' page over a server with one sale, for the tests of one file. */
export function setUpDashboard(): Dashboard {
  const dashboard = {
    show: (address = '/admin', intercept) =>
      renderWithServer(dashboard.server, dashboard.admin, <AdminPage />, {
        address,
        ...(intercept && { intercept }),
        user: { role: 'admin' },
      }),
  } as Dashboard;
  beforeAll(async () => {
    const server = await createTestApp();
    const admin = await createUser(server.ctx, { role: 'admin' });
    const buyer = await createUser(server.ctx);
    const seller = await createUser(server.ctx);
    const sale = await insertHeldSale(server.ctx, buyer, seller);
    Object.assign(dashboard, { server, admin, buyer, seller, sale });
  });
  afterAll(() => dashboard.server.close());
  return dashboard;
}
