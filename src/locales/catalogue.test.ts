import { readFileSync } from 'node:fs';
import path from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { describe, expect, it } from 'vitest';
import { LANGUAGE_CODES, type Tokens } from '#contract/base/i18n.ts';

/** The names of the values in a text, and the numbers of its elements. */
function partsOf(tokens: Tokens): string[] {
  const parts = tokens.flatMap((token) => {
    if (typeof token === 'string') return token.match(/<\/?\d+\/?>/g) ?? [];
    const [name, , choices = {}] = token;
    return [name, ...Object.values(choices).flatMap((choice) => partsOf(choice ?? []))];
  });
  return [...new Set(parts)].sort();
}

/** What French typography forbids: an ordinary space, or none, at its signs, and the typewriter's apostrophe and quotes. */
const FRENCH_FAULTS = /(^|[^\s\d\u00a0\u202f])[»]|«(?!\u00a0)| [:;!?»]|[\d}] [%$]|\p{L}[!?]|'|"|\.\.\./u;

/** French words that agree in gender and number with their thing: participles and adjectives. */
const AGREEING = /^(?:Non )?(?:Aucune?|\p{L}*(?:é|i|u)e?s?|\p{L}*(?:it|if|ible))$/u;

/** These look like such words, but stand for themselves. */
const NOUNS =
  /^(?:Aperçu|Catégorie|Clé|Communiqué|Frais|Garantie|Historique|Langue|Rabais|Reçu|Terminé|Vous)$/;

/** The rooms of the files that show a text. */
const roomsOf = (references: readonly string[]) =>
  new Set(references.map((file) => path.dirname(file).split('/').slice(0, 4).join('/')));

describe.each(LANGUAGE_CODES.filter((code) => code !== 'en'))('the texts in %s', (code) => {
  const file = path.join(import.meta.dirname, `${code}.po`);
  const messages = PO.parse(readFileSync(file, 'utf8')).items.map(
    ({ msgid, msgstr, msgctxt, references }) => ({
      english: msgid,
      context: msgctxt,
      rooms: roomsOf(references),
      translation: msgstr[0] ?? '',
    }),
  );

  it('are complete', () => {
    expect(messages.filter(({ translation }) => translation === '')).toEqual([]);
  });

  it('have the values and the elements of the English texts', () => {
    const parts = (text: string) => partsOf(compileMessage(text) as Tokens);
    const different = messages.filter(
      ({ english, translation }) => parts(english).join() !== parts(translation).join(),
    );
    expect(different).toEqual([]);
  });

  it('leave the name of the market to the operator', () => {
    expect(messages.filter(({ english, translation }) => /clipswap/i.test(english + translation))).toEqual(
      [],
    );
  });

  it.runIf(code === 'fr')('have the spaces, quotes and apostrophes of French', () => {
    expect(messages.filter(({ translation }) => FRENCH_FAULTS.test(translation))).toEqual([]);
  });

  it.runIf(code === 'fr')(
    'that agree with a thing say which one in their context, where two rooms share them',
    () => {
      const agreeing = messages.filter(
        ({ translation }) => AGREEING.test(translation) && !NOUNS.test(translation),
      );
      expect(agreeing.length).toBeGreaterThan(50);
      expect(agreeing.filter(({ context, rooms }) => !context && rooms.size > 1)).toEqual([]);
    },
  );
});
