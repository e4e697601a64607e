import type { Context } from '#server/context/context.ts';
import { ClosedError } from '#server/core/crypto.ts';
import { codeContext, pinContext } from '#server/coupons/core/service.ts';
import { draftContext, mailPartContext, mailReportContext } from '#server/coupons/drafts/service.ts';
import { imageCodesContext, removeUnlessKept, resealFile } from '#server/coupons/images/service.ts';
import type { DB } from '#server/database/types.ts';
import { vaultKeyContext } from '#server/database/vault.ts';
import { secondFactorContext } from '#server/people/accounts/service.ts';
import { keptAnswerContext } from '#server/people/idempotency/service.ts';
import { settingKeyContext } from '#server/people/settings/service.ts';
import { webhookContext } from '#server/people/webhooks/service.ts';
import * as store from './sealed-store.ts';

type Ctx = Pick<Context, 'db' | 'vault' | 'providers'>;

interface Sealed<Table extends keyof DB> extends store.SealedPlace<Table> {
  /** What is counted, in the plural. */
  readonly words: string;
  /** What no key opens is named by this and its key. */
  readonly name: string;
  /** What is sealed is bound to this. */
  readonly contextOf: (row: store.Row<Table>) => string;
  /** How many rows are in memory at once. */
  readonly atOnce?: number;
  /** What the storage has of a row. It is sealed first: a row under the newest key says that its file is, too. */
  readonly file?: {
    readonly reseal: (ctx: Ctx, row: store.Row<Table>) => Promise<void>;
    /** Called where the row has changed meanwhile. */
    readonly clear: (ctx: Ctx, row: store.Row<Table>) => Promise<void>;
  };
}

/** What was done with some rows. */
interface ResealedPortion {
  readonly resealed: number;
  /** The names of what no key opens. */
  readonly closed: readonly string[];
}

const AT_ONCE = 500;

/** Seals a column under the newest secret key, a portion of its rows at a time. What no key opens is left as it is. */
async function* reseal<Table extends keyof DB>(
  ctx: Ctx,
  { name, contextOf, atOnce = AT_ONCE, file, ...place }: Sealed<Table>,
): AsyncGenerator<ResealedPortion> {
  for (let after: string | number | null | undefined = null; after !== undefined; ) {
    const rows: store.SealedRow<Table>[] = await store.listSealed(ctx.db, place, after, atOnce);
    const closed: string[] = [];
    const renewed: (store.SealedRow<Table> & { readonly now: Buffer })[] = [];
    const renew = async (one: store.SealedRow<Table>) => {
      try {
        const now = ctx.vault.reseal(one.sealed, contextOf(one.row));
        if (!now) return;
        await file?.reseal(ctx, one.row);
        renewed.push({ ...one, now });
      } catch (error) {
        if (!(error instanceof ClosedError)) throw error;
        closed.push(`${name} ${one.key}`);
      }
    };
    await Promise.all(rows.map(renew));
    const replaced = await store.replaceSealed(ctx.db, place, renewed);
    if (file) for (const { key, row } of renewed) if (!replaced.has(key)) await file.clear(ctx, row);
    yield { resealed: replaced.size, closed };
    after = rows.at(-1)?.key;
  }
}

function sealed<Table extends keyof DB>(given: Sealed<Table>) {
  const { table, column, words } = given;
  return { table, column, words, reseal: (ctx: Ctx) => reseal(ctx, given) };
}

/**
 * Every sealed column but two: the keys of the vault come last, and the key that signs statements is not sealed anew, but
 * another one takes its place.
 */
export const SEALED_COLUMNS = [
  sealed({
    ...{ table: 'couponSecrets', key: 'couponId', column: 'code' },
    ...{ words: 'codes', name: 'the code of coupon' },
    contextOf: ({ couponId }) => codeContext(couponId),
  }),
  sealed({
    ...{ table: 'couponSecrets', key: 'couponId', column: 'pin' },
    ...{ words: 'PINs', name: 'the PIN of coupon' },
    contextOf: ({ couponId }) => pinContext(couponId),
  }),
  sealed({
    ...{ table: 'reissues', key: 'id', column: 'newCode' },
    ...{ words: 'new codes', name: 'the new code of reissue' },
    contextOf: ({ couponId }) => codeContext(couponId),
  }),
  sealed({
    ...{ table: 'images', key: 'id', column: 'codes', unless: 'discardedAt' },
    ...{ words: 'pictures', name: 'the picture' },
    contextOf: ({ id }) => imageCodesContext(id),
    atOnce: 8,
    file: {
      reseal: (ctx, { id }) => resealFile(ctx, id),
      clear: (ctx, { id }) => removeUnlessKept(ctx, id),
    },
  }),
  sealed({
    ...{ table: 'secondFactors', key: 'userId', column: 'secret' },
    ...{ words: 'second factors', name: 'the second factor of user' },
    contextOf: ({ userId }) => secondFactorContext(userId),
  }),
  sealed({
    ...{ table: 'couponDrafts', key: 'id', column: 'sealed' },
    ...{ words: 'drafts', name: 'the draft' },
    contextOf: ({ mailId }) => draftContext(mailId),
    atOnce: 20,
  }),
  sealed({
    ...{ table: 'inboundMailParts', key: 'id', column: 'sealed' },
    ...{ words: 'parts of mails', name: 'the part of a mail' },
    contextOf: ({ mailId }) => mailPartContext(mailId),
    atOnce: 20,
  }),
  sealed({
    ...{ table: 'inboundMails', key: 'id', column: 'sealed' },
    ...{ words: 'reports on mails', name: 'the report on a mail' },
    contextOf: ({ id }) => mailReportContext(id),
    atOnce: 20,
  }),
  sealed({
    ...{ table: 'webhookEndpoints', key: 'id', column: 'secret' },
    ...{ words: 'secrets of webhooks', name: 'the secret of webhook' },
    contextOf: ({ id }) => webhookContext(id),
  }),
  sealed({
    ...{ table: 'webhookEndpoints', key: 'id', column: 'oldSecret' },
    ...{ words: 'old secrets of webhooks', name: 'the old secret of webhook' },
    contextOf: ({ id }) => webhookContext(id),
  }),
  sealed({
    ...{ table: 'idempotencyKeys', key: 'id', column: 'answer' },
    ...{ words: 'answers to programs', name: 'the answer to a program' },
    contextOf: ({ id }) => keptAnswerContext(id),
  }),
  sealed({
    ...{ table: 'settingKeys', key: 'id', column: 'sealed' },
    ...{ words: 'keys of settings', name: 'the key of a setting' },
    contextOf: settingKeyContext,
  }),
];

/** They say that the older keys are needed no more. */
export const VAULT_KEYS = sealed({
  ...{ table: 'vaultKeys', key: 'name', column: 'sealed' },
  ...{ words: 'keys of the vault', name: 'the key of the vault' },
  contextOf: ({ name }) => vaultKeyContext(name),
});
