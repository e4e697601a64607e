import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { renderWithServer } from '#tests/support/web/server.tsx';
import { Component as AuthorizePage } from './authorize.tsx';

const server = setUpApp();

async function open(more: Record<string, string> = {}) {
  const person = await createUser(server.ctx);
  const payload = { client_name: 'Helper', redirect_uris: ['https://helper.example/done'] };
  const registered = await server.app.inject({ method: 'POST', url: '/oauth/register', payload });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: registered.json().client_id,
    redirect_uri: 'https://helper.example/done',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'coupons:read deals:write',
    ...more,
  });
  renderWithServer(
    server,
    person,
    <Routes>
      <Route path="/oauth/authorize" element={<AuthorizePage />} />
    </Routes>,
    { address: `/oauth/authorize?${query}` },
  );
  return person;
}

it('the consent names the program, where its answer goes and what it gets, and nothing else', async () => {
  const { username } = await open();
  await screen.findByText(`“Helper” wants to act for you, ${username}.`);
  screen.getByText(/The answer goes to helper\.example/);
  const scopes = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(scopes).toEqual([
    'See your coupons and your wish list, without any code',
    'Propose swaps, bid, and ask you to accept or complete a deal',
  ]);
  screen.getByRole('button', { name: 'Connect' });
});

it('a program with another address gets no consent', async () => {
  await open({ redirect_uri: 'https://thief.example/done' });
  await screen.findByText('This assistant cannot be connected');
  expect(screen.queryByRole('button', { name: 'Connect' })).toBeNull();
});
