import { expect, it } from 'vitest';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { setUpApp } from '#tests/support/app.ts';
import { createUser } from '#tests/support/builders.ts';
import { anOffer } from '#tests/support/coupons.ts';

/** Calls take countries by their codes and by their English names, and answer with codes. */

const test = setUpApp();

const registration = (given: object) => ({
  method: 'POST' as const,
  url: '/api/register',
  body: {
    username: 'maple',
    email: 'maple@example.org',
    password: 'quiet maple evening',
    acceptTerms: true,
    isAdult: true,
    ...given,
  },
});

it('a registration takes “Canada” and stores its code [decisions 1.5.1]', async () => {
  const answer = await test.call(null, registration({ country: 'Canada' }));
  expect(answer.statusCode, answer.body).toBe(201);
  const { country } = await test.ctx.db
    .selectFrom('users')
    .select('country')
    .where('username', '=', 'maple')
    .executeTakeFirstOrThrow();
  expect(country).toBe('CA');
});

it('a profile takes a name and answers with its code [decisions 1.5.1]', async () => {
  const who = await createUser(test.ctx);
  const body = {
    email: `${who.username}@example.org`,
    bio: null,
    preferredCurrency: 'CAD',
    country: 'united kingdom',
  };
  const answer = await test.call(who, { method: 'PUT', url: '/api/user/profile', body });
  expect(answer.json()).toMatchObject({ country: 'GB' });
});

it('the regions of a coupon and of a wish are names or codes, each country once [decisions 1.5.1]', async () => {
  const who = await createUser(test.ctx);
  const post = (url: string, body: object) => test.call(who, { method: 'POST', url, body });
  const regions = ['United States of America', "Cote d'Ivoire", 'CA', 'Canada'];
  const coupon = await post('/api/coupons', { ...anOffer(), regions });
  expect(coupon.json(), coupon.body).toMatchObject({ regions: ['CA', 'CI', 'US'] });
  const { id } = coupon.json();
  const edited = await test.call(who, {
    method: 'PATCH',
    url: `/api/coupons/${id}`,
    body: { regions: ['Viet Nam'] },
  });
  expect(edited.json(), edited.body).toMatchObject({ regions: ['VN'] });
  const wish = await post('/api/wants', { search: 'tea', region: 'Germany' });
  expect(wish.json(), wish.body).toMatchObject({ region: 'DE' });
});

it('the document lists the codes of every field that takes a country [decisions 1.5.1]', async () => {
  const { paths, components } = (await test.call(null, { method: 'GET', url: '/api/openapi.json' })).json();
  // What several calls take stands once.
  const bodyOf = (body: { $ref?: string }) =>
    body.$ref ? components.requestBodies[body.$ref.split('/').at(-1) ?? ''] : body;
  const fieldsOf = (path: string, method: string) =>
    bodyOf(paths[path][method].requestBody).content['application/json'].schema.properties;
  const fields = [
    fieldsOf('/api/register', 'post').country,
    fieldsOf('/api/user/profile', 'put').country,
    fieldsOf('/api/coupons', 'post').regions.items,
    fieldsOf('/api/coupons/{id}', 'patch').regions.items,
    fieldsOf('/api/wants', 'post').region,
  ];
  const given = { $ref: '#/components/schemas/GivenCountry' };
  for (const field of fields) expect([field, field.allOf?.[0]]).toContainEqual(given);
  expect(components.schemas.GivenCountry.anyOf[0]).toEqual({ enum: COUNTRY_CODES });
  expect(components.schemas.GivenCountry.description).toContain('English name');
  expect(components.schemas.Country.enum).toEqual(COUNTRY_CODES);
});
