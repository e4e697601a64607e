import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import PO from 'pofile';

/**
 * The translations into a language, by the ids of their messages, in ICU's message format. English has none: its texts
 * are in the code.
 */
export function readCatalogue(language: string): ReadonlyMap<string, string> {
  if (language === 'en') return new Map();
  const { items } = PO.parse(readFileSync(path.join(import.meta.dirname, `${language}.po`), 'utf8'));
  return new Map(
    items.flatMap(({ msgid, msgctxt, msgstr: [translation], obsolete }) =>
      translation && !obsolete ? [[generateMessageId(msgid, msgctxt ?? undefined), translation]] : [],
    ),
  );
}
