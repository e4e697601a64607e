import { defaultLanguage, toLanguage } from '#contract/base/i18n.ts';
import { inLanguage } from '#server/core/language.ts';
import type { Database } from '#server/database/client.ts';
import { findLanguage } from './store.ts';

/** Runs an act in the language in which we write to a person: for what they get without asking for it themselves. */
export async function inLanguageOf<Result>(
  db: Database,
  userId: number,
  act: () => Promise<Result>,
): Promise<Result> {
  return inLanguage(toLanguage((await findLanguage(db, userId)) ?? defaultLanguage()), act);
}
