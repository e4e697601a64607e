import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { COUNTRY_COOKIE } from '#contract/base/visitor-country.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { ViewerProvider } from '#web/lib/viewer.tsx';
import { Component as HomePage } from '#web/pages/home.tsx';

const server = setUpApp();

it('a visitor who searches chooses a country: it is kept, and the coupons are asked for again', async () => {
  const asked: string[] = [];
  const page = (
    <ViewerProvider viewer={{ user: null, isLoading: false }}>
      <HomePage />
    </ViewerProvider>
  );
  const member = await createUser(server.ctx);
  renderWithServer(server, member, page, {
    address: '/?q=tea',
    intercept: (procedure) => {
      asked.push(procedure);
      return undefined;
    },
  });
  fireEvent.click(await screen.findByLabelText('Your country', { selector: 'input' }));
  await waitFor(() => expect(asked).toContain('coupons.list'));
  const before = asked.length;
  fireEvent.click(await screen.findByRole('option', { name: 'Austria' }));
  expect(document.cookie).toContain(`${COUNTRY_COOKIE}=AT`);
  await waitFor(() => expect(asked.slice(before)).toContain('coupons.list'));
});
