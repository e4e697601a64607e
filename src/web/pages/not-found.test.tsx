import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderFor } from '#tests/support/web/render.tsx';
import { Component as NotFoundPage } from './not-found.tsx';

it("shows '404 Page Not Found' and 'Did you forget to add the page to the router?', and links home [spec/1 2.17] [spec/3 2.4]", () => {
  renderFor(null, <NotFoundPage />, '/no-such-page');
  screen.getByRole('heading', { level: 1, name: '404 Page Not Found' });
  screen.getByText('Did you forget to add the page to the router?');
  expect(screen.getByRole('link', { name: 'Browse Coupons' }).getAttribute('href')).toBe('/');
});
