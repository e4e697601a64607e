import { t } from '@lingui/core/macro';
import { settingName, settingText } from '#contract/people/setting-texts.ts';
import {
  type ChangeSettingInput,
  SETTING_HISTORY_MAX,
  SETTING_NAMES,
  type SettingHistory,
  type SettingName,
  type Settings,
  type SettingValues,
  settingsSchema,
} from '#contract/people/settings.ts';
import type { Context, MemberContext } from '#server/context/context.ts';
import { AppError, notFound } from '#server/core/errors.ts';
import { inLanguage } from '#server/core/language.ts';
import { type Database, inTransaction, refuseDuplicate, type Trx } from '#server/database/client.ts';
import { enforceSecondFactor } from '#server/people/accounts/service.ts';
import { audit } from '#server/people/audit/service.ts';
import { judge, unusableNames, valuesWith } from './rules.ts';
import type { RunningSettings } from './running.ts';
import * as store from './store.ts';

/** All settings, with where their values come from. */
export async function listSettings({ db, settings: { start } }: MemberContext): Promise<Settings> {
  const changes = await store.listLatest(db);
  const states = SETTING_NAMES.map((name) => {
    const change = changes.find((each) => each.name === name);
    return [name, { ...judge(start, name, change), change: change ? toChange(change) : null }];
  });
  return settingsSchema.parse(Object.fromEntries(states));
}

/** The latest changes of a setting, the newest first. */
export async function settingHistory(ctx: MemberContext, name: SettingName): Promise<SettingHistory> {
  const rows = await store.listChanges(ctx.db, name, SETTING_HISTORY_MAX);
  return rows.map(({ value, undoes, ...row }) => ({
    ...toChange(row),
    text: value === null ? null : settingText(name, value),
    undoes,
  }));
}

function toChange({ id, changedBy, changedAt }: Pick<store.ChangeRow, 'id' | 'changedBy' | 'changedAt'>) {
  return { id, by: changedBy, at: changedAt.toISOString() };
}

/**
 * Changes a setting for the whole market, at once in this process and within seconds in others.
 * @throws AppError second_factor_required, conflict (the environment decides it, or it has been changed since)
 */
export async function changeSetting(ctx: MemberContext, input: ChangeSettingInput): Promise<void> {
  await enforceSecondFactor(ctx, 'always');
  await inTransaction(ctx.db, (trx) => write(trx, ctx, { ...input, undoes: null }));
  await ctx.settings.refresh();
}

/** The latest change of a setting, as a form names it, and the variable of the environment that decides the setting. */
export async function latestChange(
  { db, settings: { start } }: Pick<Context, 'db' | 'settings'>,
  name: SettingName,
): Promise<{ changeId: number | null; lockedBy: string | null }> {
  const [latest] = await store.listChanges(db, name, 1);
  return { changeId: latest?.id ?? null, lockedBy: judge(start, name, latest).variables[0] ?? null };
}

/**
 * Changes a setting whose new value is made of what it is.
 * @throws AppError as `changeSetting`, and whatever `make` throws
 */
export async function changeSettingFrom<Name extends SettingName>(
  ctx: MemberContext,
  { name, follows }: { name: Name; follows: number | null },
  make: (trx: Trx, now: SettingValues[Name]) => Promise<SettingValues[Name]>,
): Promise<void> {
  await enforceSecondFactor(ctx, 'always');
  await inTransaction(ctx.db, async (trx) => {
    const [latest] = await store.listChanges(trx, name, 1);
    refuseLocked(judge(ctx.settings.start, name, latest));
    const values = valuesWith(ctx.settings.start, latest ? [latest] : []);
    await write(trx, ctx, { name, value: await make(trx, values[name]), follows, undoes: null });
  });
  await ctx.settings.refresh();
}

/**
 * Takes the latest change of a setting back: what held before is written as a new change.
 * @throws AppError second_factor_required, not_found, conflict (as `changeSetting`; it is not the latest; what held before
 *   is none that this release takes)
 */
export async function undoSettingChange(ctx: MemberContext, id: number): Promise<void> {
  await enforceSecondFactor(ctx, 'always');
  await inTransaction(ctx.db, async (trx) => {
    const change = await store.findChange(trx, id);
    const name = SETTING_NAMES.find((each) => each === change?.name);
    if (!change || !name) throw notFound(t`This change was not found.`);
    const before = change.follows === null ? undefined : await store.findChange(trx, change.follows);
    if (before && judge(ctx.settings.start, name, before).isUnusable)
      throw new AppError(
        'conflict',
        t`The previous value is no longer possible. Change the setting instead.`,
      );
    await write(trx, ctx, { name, value: before?.value ?? null, follows: id, undoes: id });
  });
  await ctx.settings.refresh();
}

interface Change {
  readonly name: SettingName;
  readonly value: unknown;
  readonly follows: number | null;
  readonly undoes: number | null;
}

async function write(trx: Trx, ctx: MemberContext, { name, ...change }: Change): Promise<void> {
  const { start } = ctx.settings;
  const latest = (await store.listChanges(trx, name, 1))[0];
  const before = judge(start, name, latest);
  refuseLocked(before);
  if ((latest?.id ?? null) !== change.follows) throw changedSince();
  const at = ctx.clock();
  await refuseDuplicate(
    store.insertChange(trx, { name, ...change, changedBy: ctx.actor.id, changedAt: at }),
    'setting_changes_once',
    changedSince,
  );
  const after = judge(start, name, { name, value: change.value });
  await audit(trx, ctx, {
    actorId: ctx.actor.id,
    action: change.undoes === null ? 'setting_changed' : 'setting_undone',
    details: inLanguage(
      'en',
      () => `${settingName(name)}: ${settingText(name, before.value)} → ${settingText(name, after.value)}`,
    ),
    targetUserId: null,
    at,
  });
}

/** @throws AppError conflict where the environment decides a setting */
function refuseLocked({ variables: [variable] }: ReturnType<typeof judge>): void {
  if (variable !== undefined)
    throw new AppError('conflict', t`${variable} in the server’s environment sets this.`);
}

function changedSince(): AppError {
  return new AppError(
    'conflict',
    t`Someone else has changed this setting. Check it before you change it again.`,
  );
}

/** What holds now, as the database says. */
export async function valuesNow(db: Database, start: RunningSettings['start']): Promise<SettingValues> {
  return valuesWith(start, await store.listLatest(db));
}

/** The names of stored settings that do not count, for the checks of the installation. */
export async function unusableSettings(db: Database, start: RunningSettings['start']): Promise<string[]> {
  return unusableNames(start, await store.listLatest(db));
}

export { keepKey, openKey, settingKeyContext } from './keys.ts';
export { configNow, openSettings } from './running.ts';
