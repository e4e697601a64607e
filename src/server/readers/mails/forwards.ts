import { withoutEnd } from '#server/core/text.ts';

/** What mail programs write around a mail that is forwarded or answered, in the languages in which they do. */

/** "---------- Forwarded message ---------", "Début du message réexpédié :" */
const FORWARDED = new RegExp(
  `^[-_\\s>*]*(?:${[
    "(?:begin )?forwarded message|original message|(?:début du )?message (?:transféré|réexpédié)|message d[’']origine",
    '(?:anfang der )?weitergeleiteten? nachricht|ursprüngliche nachricht',
    '(?:inicio del )?mensaje (?:reenviado|original)|(?:inizio )?messaggio (?:inoltrato|originale)',
    '(?:begin )?doorgestuurd bericht|oorspronkelijk bericht',
    '(?:início da )?mensagem (?:encaminhada|reencaminhada|original)',
    '(?:początek )?przekazan(?:a|ej) wiadomoś(?:ć|ci)|wiadomość (?:przekazana|oryginalna)|oryginalna wiadomość',
  ].join('|')})[-_\\s:*]*$`,
  'iu',
);

const SENDERS = 'from|de|von|da|van|od';
const HEADERS = [
  `${SENDERS}|sent|date|to|cc|subject|reply-to|envoyé|à|objet|répondre à|gesendet|datum|an|betreff|antwort an`,
  'enviado(?: el)?|fecha|para|asunto|responder a|inviato|data|a|oggetto|rispondi a|verzonden|aan|onderwerp',
  'enviad[ao] em|assunto|wysłano|do|dw|temat|odpowiedz do',
].join('|');
/** A line of the header of a mail within a mail. */
const HEADER = new RegExp(`^[\\s>*]*(?:${HEADERS})\\s?\\*?\\s?:`, 'iu');
const SENDER = new RegExp(`^[\\s>*]*(?:${SENDERS})\\s?\\*?\\s?:`, 'iu');
const ADDRESS = /[^\s@<[]@[^\s@>\]]/;

/** "On Tue, Nov 24, 2026 at 10:00 AM Shear Joy <news@shear.example> wrote:" */
const WROTE =
  /^(?:on|le|am|el|il|op|em|w dniu|dnia)\s.{5,200}(?:wrote|a écrit|schrieb|escribió|ha scritto|schreef|escreveu|pisze|napisał\p{L}?)(?!\p{L})/iu;

/** A subject of a mail that somebody hands on. */
const HANDED_ON = /^\s*(?:fwd?|tr|wg|rv|reenv|i|doorst|enc|pd)\s*:/i;

/** What a mail says itself, and who wrote it: '' where nobody knows. */
export interface Told {
  readonly sender: string;
  readonly lines: readonly string[];
}

/** Takes the lines of a mail's text out of what mail programs write around them. @param from who sent the mail itself */
export function toldIn(given: readonly string[], { from, subject }: { from: string; subject: string }): Told {
  const lines = given.map((line) => line.replace(/^[\s>]+/, ''));
  const isHeader = lines.map(
    (line, at) =>
      HEADER.test(line) &&
      (ADDRESS.test(line) ||
        (at === 0 && SENDER.test(line)) ||
        HEADER.test(lines[at - 1] ?? '') ||
        HEADER.test(lines[at + 1] ?? '')),
  );
  const senders = lines.filter((line, at) => isHeader[at] && SENDER.test(line)).map(nameIn);
  const said = lines.filter(
    (line, at) =>
      !isHeader[at] &&
      !FORWARDED.test(line) &&
      !WROTE.test(line) &&
      !WROTE.test(`${line} ${lines[at + 1] ?? ''}`) &&
      !WROTE.test(`${lines[at - 1] ?? ''} ${line}`),
  );
  // The innermost mail is the shop's. Whoever hands one on is no shop.
  const sender = senders.findLast((name) => name !== null) ?? (HANDED_ON.test(subject) ? '' : from);
  return { sender, lines: said };
}

/** The name in such a line as 'From: "Shear Joy" <news@shear.example>'. */
function nameIn(line: string): string | null {
  const [label = ''] = SENDER.exec(line) ?? [];
  const [given = ''] = line.slice(label.length).split(/[<[]/, 1);
  const name = withoutEnd(given.replace(/^[*\s"']+/, '').trimEnd(), '"\'').trimEnd();
  return name.length >= 2 && name.length <= 60 && !name.includes('"') && !ADDRESS.test(name) ? name : null;
}
