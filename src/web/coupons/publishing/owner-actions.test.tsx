import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { STORED } from '#tests/support/web/coupon-form.tsx';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { OwnerActions } from './owner-actions.tsx';

const server = setUpApp();

it('say that a moderator looks at a coupon before others see it', async () => {
  const waiting = { ...STORED, isActive: false, isWaiting: true };
  const who = await createUser(server.ctx);
  renderWithServer(server, who, <OwnerActions coupon={waiting} onDeleted={vi.fn()} />);
  expect(screen.getByText('Waiting for a moderator’s check')).toBeTruthy();
});
