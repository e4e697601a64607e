import { type CompiledMessage, compileMessage } from '@lingui/message-utils/compileMessage';
import { LANGUAGES, type Message, speak, Texts } from '../../src/contract/base/i18n.ts';

/**
 * A language for development and tests: all that is in the catalogue is 40% longer and has no letter of English left, all
 * that is not stands out. Its numbers, days, and names of countries are Greek.
 */
export const PSEUDO = 'pseudo';
export const PSEUDO_LOCALE = 'el';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = [...'áƀčďéƒğĥíĵķľɱñóþǫřšťúṽŵẋýžÁƁČĎÉƑĞĤÍĴĶĽṀÑÓÞǪŘŠŤÚṼŴẊÝŽ'];
/** A tag of an element, or a letter. */
const PART = /<\/?\w+\/?>|[a-zA-Z]/g;

/** 'Save <0>it</0>' becomes 'Šááṽéé <0>íít</0>'. */
function accented(text: string): string {
  return text.replace(PART, (part) => {
    const letter = ACCENTED[LETTERS.indexOf(part)] ?? part;
    if (part.length > 1) return part;
    return /[aeiou]/i.test(part) ? letter + letter.toLowerCase() : letter;
  });
}

/** A message in it, by its English. */
export function pseudoMessage(message: string): CompiledMessage {
  return compileMessage(message, accented);
}

class PseudoTexts extends Texts {
  override visit(message: Message, add: (piece: unknown, isValue: boolean) => void): void {
    super.visit(message, (piece, isValue) => add(isValue ? piece : accented(String(piece)), isValue));
  }
}

/** Speaks it in this process. @returns a function that speaks the languages of before again */
export function speakPseudo(): () => void {
  const { en } = LANGUAGES;
  Object.assign(LANGUAGES, { en: PSEUDO_LOCALE });
  const texts = new PseudoTexts('en');
  const before = speak(() => texts);
  return () => {
    Object.assign(LANGUAGES, { en });
    speak(before);
  };
}
