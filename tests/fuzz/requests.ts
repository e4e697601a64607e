import { BlockList, isIP } from 'node:net';
import { fastifyCookie } from '@fastify/cookie';
import { z } from 'zod';
import { LANGUAGE_CODES } from '#contract/base/i18n.ts';
import { centsToDecimal } from '#contract/base/money.ts';
import {
  codeTextSchema,
  instantSchema,
  lineSchema,
  pageRefSchema,
  searchSchema,
  textSchema,
  timeZoneSchema,
} from '#contract/base/primitives.ts';
import { registerInputSchema } from '#contract/people/accounts.ts';
import { createWebhookInputSchema } from '#contract/people/webhooks.ts';
import { preferredLanguage } from '#server/core/language.ts';
import { addressOf, arrivalOf, isInnerAddress } from '#server/core/proxies.ts';
import { isCursorOf } from '#server/database/paging.ts';
import { isWhole } from '#server/people/api-keys/tokens.ts';
import { deviceName } from '#server/people/sessions/device-name.ts';
import { AddressRefusal, checkedUrl, internet } from '#server/providers/guarded-network.ts';
import { typedCents } from '#web/lib/typed-amount.ts';
import { isStorable, jsonOf, promise, type Target, textTarget } from './target.ts';

/** Networks that no feed, webhook or picture may be asked from. */
const INNER = {
  ipv4: '0.0.0.0/8 10.0.0.0/8 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.168.0.0/16 224.0.0.0/3',
  ipv6: '::/96 ::ffff:0:0/96 64:ff9b::/96 2002::/16 fc00::/7 fe80::/10 ff00::/8',
} as const;

function isInner(host: string): boolean {
  const kind = isIP(host) === 6 ? 'ipv6' : 'ipv4';
  const inner = new BlockList();
  for (const network of INNER[kind].split(' ')) {
    const [first = '', bits] = network.split('/');
    inner.addSubnet(first, Number(bits), kind);
  }
  return isIP(host) > 0 && inner.check(host, kind);
}

function checkAddress(text: string): URL | null {
  try {
    const url = checkedUrl(text, internet);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    promise(url.protocol === 'https:' && url.username === '', 'an address is one of the web, without a name');
    promise(!isInner(host), 'an address is public');
    return url;
  } catch (error) {
    if (error instanceof AddressRefusal) return null;
    throw error;
  }
}

const LISTED = {
  name: 'coupons',
  direction: 'desc',
  by: [
    ['createdAt', 'timestamptz'],
    ['id', 'integer'],
  ],
} as const;
const cursor = (...keys: unknown[]) => Buffer.from(JSON.stringify(keys)).toString('base64url');

const SCHEMAS = {
  line: lineSchema(100),
  text: textSchema(1_000),
  code: codeTextSchema(200),
  email: registerInputSchema.shape.email,
  username: registerInputSchema.shape.username,
  picture: registerInputSchema.shape.profileImageUrl,
  search: searchSchema,
  zone: timeZoneSchema,
  page: pageRefSchema,
  instant: instantSchema,
  webhook: createWebhookInputSchema.shape.url,
};

export const REQUEST_TARGETS: readonly Target[] = [
  textTarget({
    name: 'addresses',
    seeds: [
      'https://feeds.example/a?b=c',
      'https://0x7f.1/',
      'https://[::ffff:127.0.0.1]/',
      'https://２１３０７０６４３３',
      'https://1.1.1.1/',
    ],
    parts: ['a.', '/', '@', '%41', ':', '\\', '0'],
    longest: 200_000,
    read(text) {
      const url = checkAddress(text);
      if (url) promise(checkAddress(url.href)?.href === url.href, 'an address stays');
    },
  }),
  textTarget({
    name: 'inputs',
    seeds: [
      'Pizza Palazzo',
      'somebody@example.com',
      'America/Vancouver',
      '2031-01-01T00:00:00Z',
      'https://a.example/b',
      '12',
    ],
    parts: ['@', 'a', 'a@', 'a.', '-', '\u200d', ' ', '😀', '1\ufe0f', 'https://', '\u0301', '/'],
    // Bodies of requests may be longer, and whoever sends one need not have an account.
    longest: 200_000,
    read(text) {
      for (const [name, schema] of Object.entries(SCHEMAS)) {
        const { data, success } = z.safeParse<z.ZodType>(schema, text);
        if (!success || typeof data !== 'string') continue;
        promise(isStorable(data) || name === 'code', 'an input can be stored');
        promise(data.length <= 2_000, 'an input is bounded');
        const again = z.safeParse<z.ZodType>(schema, data);
        promise(again.success && again.data === data, 'an input that was taken is taken again');
      }
    },
  }),
  textTarget({
    name: 'typed-amounts',
    seeds: ['12.50', '1 234,5', "1'234.00", '١٢٫٥٠', '12,34,567.8', '1.234'],
    parts: ['1', '1,', '1.', ' ', '1 ', '.', '١'],
    read(text) {
      for (const language of ['en', 'fr-CA', 'de-CH', 'hi', 'ar-EG', 'en-US@posix']) {
        const cents = typedCents(text, language);
        promise(cents === null || (Number.isSafeInteger(cents) && cents >= 0), 'an amount is whole cents');
        if (cents !== null)
          promise(typedCents(centsToDecimal(cents), 'en') === cents, 'an amount that was read is read again');
      }
    },
  }),
  textTarget({
    name: 'headers',
    seeds: [
      'fr-CA,fr;q=0.9,en;q=0.8',
      'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
      '10.0.0.1, 192.0.2.7',
      'a=b; c="d"; e=%41',
    ],
    parts: ['a,', 'fr;q=', ';', ' ', 'Mozilla/5.0 (', 'a=b; ', '%', '1.', 'Version/', '('],
    // As long as Node takes them.
    longest: 16_000,
    packages: ['negotiator', 'bowser', 'cookie'],
    read(text) {
      promise(LANGUAGE_CODES.includes(preferredLanguage(text)), 'a language is one of ours');
      promise(deviceName(text).length < 100, 'the name of a device is short');
      fastifyCookie.parse(text);
      const request = {
        ip: text,
        socket: { remoteAddress: '192.0.2.7' },
        headers: { 'x-forwarded-for': text },
      };
      promise(isIP(addressOf(request)) > 0, 'the address of a caller is one');
      promise(isIP(arrivalOf(request).ip) > 0, 'the address of a caller is one');
      isInnerAddress(text);
    },
  }),
  textTarget({
    name: 'tokens',
    seeds: [
      cursor('coupons', 'after', '2031-01-01T00:00:00Z', 7),
      cursor('coupons', 'before', 'infinity', 1),
      `clipswap_${'a'.repeat(42)}`,
    ],
    parts: ['a', 'W1', '-', '='],
    read(text) {
      promise(!isWhole(text), 'nobody guesses a key');
      const decoded = jsonOf(Buffer.from(text, 'base64url').toString());
      if (isCursorOf(LISTED, text))
        promise(Array.isArray(decoded) && decoded.length === 4, 'a cursor has its keys');
    },
  }),
];
