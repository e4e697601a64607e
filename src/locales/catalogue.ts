import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { formatter } from '@lingui/format-po';

/**
 * The translations into a language, by the ids of their messages, in ICU's message format. English has none: its texts
 * are in the code.
 */
export async function readCatalogue(language: string): Promise<ReadonlyMap<string, string>> {
  if (language === 'en') return new Map();
  const filename = path.join(import.meta.dirname, `${language}.po`);
  const messages = await formatter().parse(await readFile(filename, 'utf8'), {
    locale: language,
    sourceLocale: 'en',
    filename,
  });
  return new Map(
    Object.entries(messages).flatMap(([id, { translation, obsolete }]) =>
      translation && !obsolete ? [[id, translation]] : [],
    ),
  );
}
