import { expect, it } from 'vitest';
import { looksOfficial } from './names.ts';

it.each([
  'support',
  'Admin',
  'adm1n',
  'admin24',
  'mia.admin',
  'MiaSupport',
  'stripe_billing',
  'root',
  'clipswap-mia',
  'theC1ipSvvap',
  'my.paypaI.me',
  'team',
  'help_team',
  'SupportTeam',
  's.u.p.p.o.r.t',
])('%s looks official', (name) => {
  expect(looksOfficial(name)).toBe(true);
});

it.each([
  'supporter_jane',
  'maple_mia',
  'team_maple',
  'helpful.hugo',
  'stripes',
  'rooted',
  'modern_mo',
  'infoseeker',
  '123',
  '___',
])('%s does not', (name) => {
  expect(looksOfficial(name)).toBe(false);
});
