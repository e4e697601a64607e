import { attached, mailOf, type Sent } from './drawn-bytes.ts';
import {
  type Draw,
  type DrawnCoupon,
  drawFacts,
  drawing,
  type Facts,
  type Language,
  WORDS,
} from './drawn-facts.ts';

/** A mail as we draw it after the layouts of common senders, and what a person sees in it. */
export interface DrawnMail {
  readonly bytes: Buffer;
  /** Its kind, for whoever looks into a failure. */
  readonly about: string;
  readonly coupons: readonly DrawnCoupon[];
}

/** A line of a mail, a pair of cells, or a blank. */
type Line = string | readonly [label: string, value: string];

function endOf({ one }: Draw, { lastDay, dayText }: Facts, language: Language): string[] {
  const words = WORDS[language];
  if (lastDay === null) return [];
  return [lastDay === 'never' ? one(words.never) : one(words.until(dayText))];
}

/** An advertisement with a code. */
function promotion(draw: Draw, language: Language, facts: Facts): Line[] {
  const { one, isSo } = draw;
  const words = WORDS[language];
  const offer = one(words.offer(facts.worthText));
  const code = one(words.code(facts.code));
  const end = endOf(draw, facts, language);
  const [last = ''] = end;
  const lines = one([
    [offer, code, ...end],
    [offer, '', code, '', ...end],
    [code, offer, ...end],
    [offer, ...end, '', code],
    last !== '' && /^(?:Use|Utilisez)/.test(code) && language === 'en'
      ? [offer, `${code} until ${facts.dayText}`]
      : [offer, ...end, code],
  ]);
  return [one(words.hello), '', ...lines, '', ...(isSo(0.5) ? [one(words.extra)] : [])];
}

/** The rows of a gift card. */
function giftCard(draw: Draw, language: Language, facts: Facts): Line[] {
  const { one } = draw;
  const words = WORDS[language];
  const end: Line[] =
    facts.lastDay === null
      ? []
      : facts.lastDay === 'never'
        ? endOf(draw, facts, language)
        : [[one(words.expires), facts.dayText.replace(/^le /, '')]];
  return [
    [one(words.value), facts.worthText],
    [one(words.number), facts.code],
    ...(facts.pin === '' ? [] : ([[one(words.pin), facts.pin]] as Line[])),
    ...end,
  ];
}

const colon = (language: Language) => (language === 'fr' ? ' : ' : ': ');

function asText(lines: readonly Line[], language: Language, { one }: Draw): string {
  const style = one(['colon', 'colon', 'below', 'columns']);
  return lines
    .map((line) => {
      if (typeof line === 'string') return line;
      const [label, value] = line;
      if (style === 'below') return `${label}${colon(language).trimEnd()}\n${value}`;
      return style === 'columns' ? `${label.padEnd(28)}${value}` : `${label}${colon(language)}${value}`;
    })
    .join('\n');
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function asHtml(lines: readonly Line[], language: Language, { one, isSo }: Draw): string {
  const words = WORDS[language];
  const hidden = isSo(0.6)
    ? one([
        `<div style="display:none;max-height:0">Preheader: code PREHEAD99 99% off&zwnj;&nbsp;&#8199;</div>`,
        '<span class="pre">Preheader: code PREHEAD99</span>',
      ])
    : '';
  const cells = (line: Line) =>
    typeof line === 'string'
      ? `<tr><td colspan="2">${bold(line)}</td></tr>`
      : `<tr><td>${escaped(line[0])}${isSo(0.3) ? ':' : ''}</td><td align="right"><b>${escaped(line[1])}</b></td></tr>`;
  const bold = (line: string) => escaped(line).replace(/([A-Z0-9]+(?:-[A-Z0-9]+)+)/, '<strong>$1</strong>');
  const seen = lines.filter((line) => line !== '');
  const body = one([
    () => `<table role="presentation" width="600"><tbody>${seen.map(cells).join('\n')}</tbody></table>`,
    () => `<table><tr><td><table>${seen.map(cells).join('')}</table></td></tr></table>`,
    () =>
      seen
        .map((line) =>
          typeof line === 'string'
            ? `<p>${bold(line)}</p>`
            : `<div>${escaped(line[0])}: <span>${escaped(line[1])}</span></div>`,
        )
        .join(''),
    () =>
      seen
        .map((line) => (typeof line === 'string' ? bold(line) : `${escaped(line[0])}: ${escaped(line[1])}`))
        .join('<br>\n'),
  ])();
  const shop =
    '<a href="https://nam02.safelinks.protection.outlook.com/?url=https%3A%2F%2Fshop.example%2F%3Fcode%3DNOPE1">Shop now</a>';
  const footer = words.footer.map((line) => `<p style="font-size:11px">${escaped(line)}</p>`).join('');
  return `<!DOCTYPE html><html><head><title>Title 77% off</title><style>.x{color:red} .pre{display:none}
@media (max-width:600px){.y{display:none}}</style></head><body>${hidden}<center>${body}<br>${shop}${footer}</center></body></html>`;
}

/** How whoever forwards it writes around a text. */
function forwarded(text: string, { from, subject }: Sent, language: Language, { one }: Draw): string {
  const address = `${from} <news@shop.example>`;
  const heads =
    language === 'en'
      ? [
          `---------- Forwarded message ---------\nFrom: ${address}\nDate: Tue, Nov 24, 2026 at 9:12 AM\nSubject: ${subject}\nTo: <pat@example.org>\n\n`,
          `Get Outlook for iOS\n________________________________\nFrom: ${address}\nSent: Tuesday, November 24, 2026 9:12:00 AM\nTo: Pat <pat@example.org>\nSubject: ${subject}\n\n`,
          `-----Original Message-----\nFrom: ${address}\nSent: November 24, 2026 09:12\nTo: Pat\nSubject: ${subject}\n\n`,
        ]
      : [
          `---------- Message transféré ---------\nDe : ${address}\nDate : mar. 24 nov. 2026 à 09:12\nObjet : ${subject}\nÀ : <pat@example.org>\n\n`,
          `De : ${address}\nEnvoyé : mardi 24 novembre 2026 09:12\nÀ : Pat <pat@example.org>\nObjet : ${subject}\n\n`,
        ];
  const apple =
    language === 'en'
      ? `Begin forwarded message:\n\nFrom: ${address}\nSubject: ${subject}\nDate: November 24, 2026 at 9:12:00 AM EST\nTo: pat@example.org\n\n${text}`
      : `Début du message réexpédié :\n\nDe: ${address}\nObjet: ${subject}\nDate: 24 novembre 2026 à 09:12:00 HNE\nÀ: pat@example.org\n\n${text}`;
  const quoted = apple
    .split('\n')
    .map((line, at) => (at === 0 ? line : `> ${line}`))
    .join('\n');
  return one([...heads.map((head) => head + text), quoted]);
}

/** Draws a mail of which it is known what it says. The same seed draws the same one. */
export function drawMail(seed: number): DrawnMail {
  const draw = drawing(seed);
  const { one, isSo } = draw;
  const language = one(['en', 'fr'] as const);
  const words = WORDS[language];
  const kind = one(['promotion', 'promotion', 'gift card', 'gift cards'] as const);
  const isCard = kind !== 'promotion';
  const facts = Array.from({ length: kind === 'gift cards' ? 2 : 1 }, () =>
    drawFacts(draw, language, isCard),
  );
  const [first] = facts;
  if (!first) throw new Error('A mail has a coupon');
  const hasPins = facts.every(({ pin }) => pin !== '');
  const coupons =
    kind === 'gift cards'
      ? facts.map((each) => ({ ...each, pin: hasPins ? each.pin : '', lastDay: null }))
      : facts;
  const lines =
    kind === 'promotion'
      ? promotion(draw, language, first)
      : kind === 'gift card'
        ? [
            one(words.card),
            ...(isSo(0.3) ? [words.order] : []),
            '',
            ...giftCard(draw, language, first),
            '',
            one(words.extra),
          ]
        : [
            one(words.card),
            '',
            ...coupons.flatMap((each, nth): Line[] => [
              words.nth(nth + 1, each.worthText),
              ['Code', each.code],
              ...(hasPins ? ([['PIN', each.pin]] as Line[]) : []),
              '',
            ]),
          ];
  const form = one(['text', 'html', 'both', 'empty text'] as const);
  const shop = one(words.shops);
  const sent = { from: shop, subject: one([...words.hello, ...words.card]), text: null, html: null };
  const way = one(['direct', 'forwarded', 'attached'] as const);
  const written = [asText(lines, language, draw), '', ...words.footer].join('\n');
  const text = way === 'forwarded' ? forwarded(written, sent, language, draw) : written;
  const html = asHtml(lines, language, draw);
  const whole: Sent = {
    ...sent,
    text: form === 'html' ? null : form === 'empty text' ? words.view : text,
    html: form === 'text' ? null : html,
  };
  const inner = mailOf(
    way === 'forwarded' ? { ...whole, from: 'Pat', subject: `Fwd: ${sent.subject}` } : whole,
    draw,
  );
  return {
    bytes: way === 'attached' ? attached(inner) : inner,
    about: [language, kind, form, way].join(', '),
    coupons: coupons.map(({ code, pin, value, discountType, lastDay }) => ({
      code,
      pin,
      value,
      discountType,
      lastDay,
    })),
  };
}
