import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LANGUAGES, type Language, Texts } from '#contract/base/i18n.ts';
import { marketName } from '#contract/base/market.ts';
import { NOTIFICATION_TYPES } from '#contract/people/notifications.ts';
import { inLanguage } from '#server/core/language.ts';
import { contentOf } from '#server/people/notifications/mail-templates.ts';
import { payloadOf } from '#server/people/push/payload.ts';
import { ACCOUNT_MAILS, NEWS_MAILS } from './mails.ts';
import { read, STORED_TEXTS, textOf } from './reading.ts';
import { type StoredText, writerOf } from './stored.ts';

/** What stood in a message that a catalogue does not have, or would stand plainly beside one. */
let plain: string[];

/** What people wrote, in these tests. */
const WRITTEN = /Ω\w+/g;

/** Without what catalogues have, what people wrote, and what `Intl` writes. */
function restOf(text: string): string {
  let rest = text;
  for (let before = ''; before !== rest; ) {
    before = rest;
    rest = rest.replace(/⟦[^⟦⟧]*⟧/g, '');
  }
  return rest
    .replace(WRITTEN, '')
    .replaceAll(marketName(), '')
    .replace(/\bCAD\b|\b(and|et)\b|\b(Nov|nov|Dec|déc|1er|h)\b|Stripe|PayPal/g, '')
    .replace(/[\s\d.,:$-]/g, '');
}

beforeAll(() => {
  const original = Texts.prototype.text;
  vi.spyOn(Texts.prototype, 'text').mockImplementation(function (this: Texts, message) {
    plain.push(...Object.values(message.values ?? {}).map((value) => restOf(String(value))));
    return `⟦${original.call(this, message)}⟧`;
  });
});
afterAll(() => {
  vi.restoreAllMocks();
});

function expectTranslatable(texts: readonly string[], what: string) {
  const rests = [...plain, ...texts.map(restOf)].filter((rest) => rest !== '');
  expect(rests, what).toEqual([]);
}

const REASON = { kind: 'endReason.party_left.named', parameters: { name: 'Ωname' } };
const WAY = { kind: 'wayIn.passkey', parameters: { name: 'Ωkey', day: '2026-11-25' } };
const FOUND = { title: 'Ωtitle', merchant: 'Ωmerchant', day: '2026-12-01' };
const PRICE = { amount: '5.00', buyerTotal: '5.50', netAmount: '4.75', pays: 'Ωpays', gets: 'Ωgets' };
const people = ['bidder', 'owner', 'requester', 'actor', 'partner', 'sender', 'rater', 'rated', 'claimant'];
const words = [
  'giver',
  'host',
  'buyer',
  'seller',
  'coupon',
  'merchant',
  'title',
  'name',
  'reason',
  'note',
  'program',
  'system',
];
const sums = [
  'amount',
  'from',
  'to',
  'total',
  'net',
  'returned',
  'paidOut',
  'reversed',
  'share',
  'keptBack',
  'owed',
];
const each = <Value>(names: readonly string[], of: (name: string) => Value) =>
  Object.fromEntries(names.map((name) => [name, of(name)]));

/** Parameters of all texts. */
const SAMPLE = {
  ...each([...people, ...words], (name) => `Ω${name}`),
  ...each(sums, () => 1_250),
  ...each(['count', 'more', 'waiting', 'people'], () => 3),
  ...each(['offered', 'asked', 'others'], () => ['Ωone', 'Ωtwo']),
  ...{ why: REASON, text: REASON, device: { kind: 'device.unknown', parameters: {} } },
  ...{ ended: [WAY], left: [WAY], named: [FOUND], ending: [FOUND], found: [FOUND] },
  ...{
    endingCount: 4,
    foundCount: 4,
    days: 14,
    day: '2026-11-25',
    at: '2026-11-25T10:00:00.000Z',
    payBy: '2026-11-25T10:00:00.000Z',
  },
  ...{
    status: 'suspended',
    provider: 'stripe',
    type: 'other',
    kind: 'passkey',
    isPriced: true,
    isGranted: true,
  },
  ...{ webhooksOff: true, calendarOff: true },
  finding: {
    ...{ kind: 'redeemed_before', place: 'Ωplace' },
    ...{ redeemedAt: '2026-11-20T10:00:00.000Z', comparedAt: '2026-11-21T10:00:00.000Z' },
  },
  prices: [
    { ...PRICE, isPayer: true },
    { ...PRICE, isPayer: false },
  ],
};
/** Where they lead to other sentences. */
const OTHERWISE = {
  ...{ keptBack: 0, provider: 'paypal', isPriced: false, isGranted: false, prices: [], more: 0 },
  ...{ count: 1, waiting: 1, endingCount: 1, foundCount: 1, ended: [], status: 'banned' },
  ...{ webhooksOff: false, calendarOff: false },
  finding: { kind: 'works', place: null, redeemedAt: null, comparedAt: null },
};
const NONE: Record<string, object> = {
  payment: { note: null, payBy: null },
  picture: { coupon: null },
  status: { reason: null, day: null },
  'wayIn.recoveryCodes': { day: null },
};

/** The kinds of these texts by what they say themselves, and by their places. */
function kindsIn(texts: object, place: string): [said: string, place: string][] {
  return Object.entries(texts).flatMap(([name, text]: [string, object]) => {
    const at = place === '' ? name : `${place}.${name}`;
    if (!writerOf(text)) return text === null ? [] : kindsIn(text, at);
    return [[(text as () => StoredText)().kind, at]];
  });
}

/** Parameters of a text, in two variants. */
function samplesFor(kind: string): Record<string, unknown>[] {
  const [tree = ''] = kind.split('.');
  const given =
    tree === 'match' ? { given: 'Ωgiven', got: 'Ωgot' } : { given: ['Ωone', 'Ωtwo'], got: ['Ωthree'] };
  const sample = { ...SAMPLE, ...given };
  return [sample, { ...sample, ...OTHERWISE, ...(NONE[kind] ?? NONE[tree]) }];
}

it.each(Object.keys(LANGUAGES) as Language[])('every stored text is in the catalogue (%s)', (language) => {
  const found = kindsIn(STORED_TEXTS, '').filter(([, place]) => !place.startsWith('testing.'));
  const kinds = found.map(([kind]) => kind);
  expect(kinds).toEqual(found.map(([, place]) => place));
  expect(kinds.length).toBeGreaterThan(200);
  for (const kind of kinds)
    for (const sample of samplesFor(kind)) {
      plain = [];
      const known = new Proxy(sample, {
        get: (all, name) => {
          if (typeof name === 'string' && !(name in all)) throw new Error(`${kind} reads ${name}`);
          return Reflect.get(all, name);
        },
      });
      expectTranslatable([inLanguage(language, () => textOf({ kind, parameters: known }))], kind);
    }
});

it('all that mails and pushes say besides is in the catalogue', () => {
  const claimed = {
    ...{ body: 'Ωbody', subject: 'Ωsubject', link: null, userId: 1, address: null },
    attempts: 1,
  };
  const mail = { ...claimed, id: 1, createdAt: new Date(0), email: null, status: null, isDemo: null };
  const rest = { isVerified: null, isDeleted: null, wantsMail: null, receipt: null, receiptFacts: null };
  const more = { subjectText: null, bodyText: null, language: 'en' };
  const links = { main: 'Ωmain', unsubscribe: 'Ωunsubscribe', receipt: null };
  const news = NOTIFICATION_TYPES.map((type) => ({ kind: 'notification' as const, type }));
  const accounts = Object.keys(ACCOUNT_MAILS).map((kind) => ({
    kind: kind as keyof typeof ACCOUNT_MAILS,
    type: null,
  }));
  for (const support of [null, 'Ωhelp'])
    for (const kind of [...news, ...accounts]) {
      plain = [];
      const content = contentOf({ ...mail, ...rest, ...more, ...kind }, links, support);
      const { heading, paragraphs, button, reason, support: help, unsubscribe } = content;
      const said = [heading, ...paragraphs, reason, help, button?.label ?? '', unsubscribe?.label ?? ''];
      expectTranslatable(said, JSON.stringify(kind));
    }
  for (const type of NOTIFICATION_TYPES) {
    plain = [];
    expectTranslatable([NEWS_MAILS[type].subject()], type);
    if (type !== 'weekly') expectTranslatable([payloadOf({ type, title: 'Ωtitle', link: '/' }).body], type);
  }
});

it('what this version does not know is read in the English that stands beside it, and logged', () => {
  plain = [];
  const log = { warn: vi.fn(), fatal: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
  expect(read({ log }, null, 'Written long ago')).toBe('Written long ago');
  expect(read({ log }, { kind: 'bid.flown', parameters: {} }, 'Your bid has flown')).toBe(
    'Your bid has flown',
  );
  expect(read({ log }, { kind: 'bid.place.owner', parameters: {} }, 'You have a bid')).toBe('You have a bid');
  expect(log.warn.mock.calls.map(([{ kind }]) => kind)).toEqual(['bid.flown', 'bid.place.owner']);
});
