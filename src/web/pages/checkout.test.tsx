import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import { renderFor, somebody } from '#tests/support/web/render.tsx';
import { Toaster } from '#web/app/toaster.tsx';
import { Component as CheckoutPage } from './checkout.tsx';

it.each(['nonsense', '0', '-1', '1.5', '99999999999'])(
  'sends “%s” back to the bids [spec/2 5.4]',
  async (bidId) => {
    renderFor(
      somebody(),
      <>
        <Routes>
          <Route path="/checkout/:bidId" element={<CheckoutPage />} />
          <Route path="/my-bids" element="The bids" />
        </Routes>
        <Toaster />
      </>,
      `/checkout/${bidId}`,
    );
    expect(await screen.findByText('The bids')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('Invalid bid ID');
  },
);
