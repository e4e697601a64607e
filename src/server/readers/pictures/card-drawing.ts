import { CARD_HEIGHT, CARD_WIDTH } from '#contract/coupons/cards.ts';
import { stubColor } from '#contract/coupons/stub-colors.ts';
import { canWrite, type Lettering, write, writeLines } from './lettering.ts';
import type { Card } from './pictures.ts';
import { sharp } from './sharp.ts';

/** The ticket, and its stub at the left. */
const [LEFT, TOP, RIGHT, BOTTOM, FOLD] = [60, 70, 1140, 560, 420];
const TEXT_LEFT = FOLD + 50;
const TEXT_WIDTH = RIGHT - TEXT_LEFT - 50;

/** Draws a ticket of CARD_WIDTH × CARD_HEIGHT pixels as a PNG. */
export async function drawCard(card: Card): Promise<Buffer> {
  return sharp(Buffer.from(svgOf(card)))
    .png({ palette: true, colours: 64, effort: 4 })
    .toBuffer();
}

function svgOf({ stub, merchant, title, untitled = '', note, market, colors }: Card): string {
  // Texts in a script that the font lacks are left out.
  const heading = canWrite(title) ? title : untitled;
  const titles = writeLines(heading, { size: 68, width: TEXT_WIDTH, lines: 3 });
  const merchants = canWrite(merchant) ? writeLines(merchant, { size: 38, width: TEXT_WIDTH, lines: 1 }) : [];
  const name = write(market, 40);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${colors.paper}"/>
<rect x="${LEFT}" y="${TOP}" width="${RIGHT - LEFT}" height="${BOTTOM - TOP}" rx="32" fill="${colors.ticket}"/>
<path d="M${FOLD} ${TOP}H${LEFT + 32}a32 32 0 0 0-32 32V${BOTTOM - 32}a32 32 0 0 0 32 32H${FOLD}z" fill="${stubColor(merchant)}"/>
<path d="M${FOLD} ${TOP + 40}V${BOTTOM - 40}" stroke="${colors.paper}" stroke-width="6" stroke-dasharray="4 18" stroke-linecap="round"/>
<circle cx="${FOLD}" cy="${TOP}" r="26" fill="${colors.paper}"/><circle cx="${FOLD}" cy="${BOTTOM}" r="26" fill="${colors.paper}"/>
${lettersOf(stub)}
${merchants.map((line) => put(line, TEXT_LEFT, TOP + 86, colors.dimmed)).join('')}
${titles.map((line, index) => put(line, TEXT_LEFT, TOP + 176 + index * 78, colors.ink)).join('')}
${writeLines(note, { size: 32, width: TEXT_WIDTH - name.width - 40, lines: 1 })
  .map((line) => put(line, TEXT_LEFT, BOTTOM - 44, colors.dimmed))
  .join('')}
${put(name, RIGHT - 50 - name.width, BOTTOM - 44, colors.market)}
</svg>`;
}

/** The stub's words in its middle, as large as the stub allows. */
function lettersOf([large, small]: Card['stub']): string {
  const middle = (LEFT + FOLD) / 2;
  const centred = (words: string, most: number, y: number) => {
    const line = write(words, Math.min(most, (100 * (FOLD - LEFT - 70)) / write(words, 100).width));
    return put(line, middle - line.width / 2, y, '#fff');
  };
  return small === undefined ? centred(large, 130, 340) : centred(large, 130, 320) + centred(small, 48, 396);
}

function put({ path }: Lettering, x: number, y: number, fill: string): string {
  return `<path transform="translate(${x.toFixed(1)} ${y})" d="${path}" fill="${fill}"/>`;
}
