import { t } from '@lingui/core/macro';
import { KEY_PLACE, type OwnFeed, type OwnValidator } from '#contract/oversight/sources.ts';
import { sha256 } from '#server/core/crypto.ts';
import {
  type HttpSetting,
  type ValidatorSetting,
  validatorSettingSchema,
} from '#server/providers/validators/settings.ts';
import { type FeedSetting, feedSettingSchema } from '#server/readers/feeds/settings.ts';

/** Why what an admin has typed is no source, in words for them. */
export class SourceProblem extends Error {
  override readonly name = 'SourceProblem';
  /** The field of the form. */
  readonly field: 'url' | 'baseUrl' | 'key' | 'more';

  constructor(field: SourceProblem['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * What the key of a feed is typed for: all that is sent. A key that was typed for one request is good for no other, so that
 * nobody who changes the source learns it or uses it for something else.
 */
export function feedBinding({ url, more }: OwnFeed): string {
  return bindingOf(['feed', url, more]);
}

/** As `feedBinding`, of a validator. */
export function validatorBinding({ source, baseUrl, appId, more }: OwnValidator): string {
  return bindingOf(['validator', source, baseUrl, appId, more]);
}

/** The database keeps no order of fields. */
function bindingOf(request: unknown): string {
  return sha256(
    JSON.stringify(request, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    ),
  );
}

/**
 * A feed as the operator's file would have it, with its key. Variables of the environment are not filled in: an admin must
 * not read them.
 * @throws SourceProblem
 */
export function feedSettingOf(feed: OwnFeed, key: string | null): FeedSetting {
  const { name, url, format, network, merchant, currency, everyHours, more } = feed;
  const optional = withoutNulls({ network, merchant, currency });
  const parsed = feedSettingSchema.safeParse({ ...more, name, url, format, everyHours, ...optional });
  if (!parsed.success) throw unusable(parsed.error.issues);
  return { ...parsed.data, ...withKey(parsed.data, key, 'url') };
}

/**
 * A validator as the operator's file would have it, with its key.
 * @throws SourceProblem
 */
export function validatorSettingOf(validator: OwnValidator, key: string | null): ValidatorSetting {
  const { source, baseUrl, merchants, appId, currency, checksPerDay, more } = validator;
  if ('reissue' in more || 'restore' in more)
    throw new SourceProblem('more', t`New codes for new owners can only be set up in VALIDATORS_FILE.`);
  if (source === 'voucherify' && key === null)
    throw new SourceProblem('key', t`Type the key of the account.`);
  const account = source === 'voucherify' ? { appId, appToken: key } : {};
  const given = { ...more, source, baseUrl, merchants, checksPerDay, ...withoutNulls({ currency }) };
  const parsed = validatorSettingSchema.safeParse({ ...given, ...withoutNulls(account) });
  if (!parsed.success) throw unusable(parsed.error.issues);
  if (parsed.data.source === 'voucherify') return parsed.data;
  const setting: HttpSetting = parsed.data;
  const { path: url, headers, body } = setting;
  const { url: path, ...rest } = withKey({ url, headers, ...(body && { body }) }, key, 'more');
  return { ...setting, ...rest, path };
}

function withoutNulls(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

const FIELDS: Readonly<Record<string, SourceProblem['field']>> = {
  url: 'url',
  baseUrl: 'baseUrl',
};

function unusable([issue]: readonly { path: PropertyKey[]; message: string }[]): SourceProblem {
  const path = issue?.path.join('.') ?? '';
  const message = issue?.message ?? '';
  return new SourceProblem(FIELDS[path] ?? 'more', path === '' ? message : `${path}: ${message}`);
}

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: FeedSetting['body'];
}

/** Fields that hold a key as a rule. */
const KEY_NAME = /(?:key|token|secret|password|authorization|cookie)$/i;

/** Puts the key in its places; where there is none, it is sent as a bearer token. @throws SourceProblem */
function withKey({ url, headers, body }: Sent, key: string | null, urlField: 'url' | 'more'): Sent {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'));
  if (hasOpenKey(query)) throw openKey(urlField);
  if (hasOpenKey(Object.entries(headers)) || hasOpenKey(Object.entries(body ?? {}))) throw openKey('more');
  const hasPlace = JSON.stringify([url, headers, body]).includes(KEY_PLACE);
  if (key === null) {
    if (hasPlace) throw new SourceProblem('key', t`Type the key that goes in the place of ${KEY_PLACE}.`);
    return { url, headers, ...(body && { body }) };
  }
  const placed = hasPlace ? headers : { ...headers, authorization: `Bearer ${KEY_PLACE}` };
  return {
    url: url.replaceAll(KEY_PLACE, encodeURIComponent(key)),
    headers: fill(placed, key),
    ...(body && { body: fill(body, key) }),
  };
}

function hasOpenKey(fields: Iterable<[string, unknown]>): boolean {
  return [...fields].some(
    ([name, value]) => KEY_NAME.test(name) && typeof value === 'string' && !value.includes(KEY_PLACE),
  );
}

function openKey(field: 'url' | 'more'): SourceProblem {
  return new SourceProblem(
    field,
    t`Type the key in its own field, where it is kept encrypted, and write ${KEY_PLACE} in its place here.`,
  );
}

function fill<Value>(value: Value, key: string): Value {
  const filled: unknown = JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === 'string' ? inner.replaceAll(KEY_PLACE, () => key) : inner,
  );
  return filled as Value;
}
