import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Font } from 'fontkit';

const { create } = await import('fontkit');

/** The site's own font in its default weight, the boldest. Text becomes paths: no font of the machine is used. */
const FILES = ['latin', 'latin-ext', 'vietnamese'].map(
  (subset) =>
    `@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-${subset}-wght-normal.woff2`,
);

let opened: readonly Font[] | null = null;

function fonts(): readonly Font[] {
  opened ??= FILES.map((file) => {
    const font = create(readFileSync(fileURLToPath(import.meta.resolve(file))));
    if (!('layout' in font)) throw new Error('The font file is a collection');
    return font;
  });
  return opened;
}

/** A line of text as an SVG path, its start at the origin of its baseline. */
export interface Lettering {
  readonly path: string;
  /** In pixels. */
  readonly width: number;
}

/** Whether the font has most of the letters, so that the rest can be left out. */
export function canWrite(text: string): boolean {
  const letters = [...text.replaceAll(/\s/g, '')];
  const known = letters.filter((letter) => fontFor(letter) !== undefined);
  return known.length > 0 && known.length >= letters.length * 0.8;
}

/** Draws a line; characters that the font lacks are left out. @param size in pixels */
export function write(text: string, size: number): Lettering {
  const parts: string[] = [];
  let x = 0;
  for (const { font, run } of runsOf(text)) {
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(run);
    glyphs.forEach((glyph, index) => {
      const position = positions[index];
      const left = x + (position?.xOffset ?? 0) * scale;
      const path = glyph.path.scale(scale, -scale).translate(left, 0).toSVG();
      if (path !== '') parts.push(path);
      x += (position?.xAdvance ?? glyph.advanceWidth) * scale;
    });
  }
  return { path: parts.join(''), width: x };
}

/** Breaks a text at spaces into lines of at most this width; what does not fit ends in an ellipsis. */
export function writeLines(
  text: string,
  { size, width, lines }: { readonly size: number; readonly width: number; readonly lines: number },
): Lettering[] {
  const written: Lettering[] = [];
  let words = text.split(/\s+/).filter((word) => word !== '');
  while (words.length > 0) {
    if (written.length + 1 === lines) return [...written, shortened(words.join(' '), { size, width })];
    let count = 1;
    while (count < words.length && write(words.slice(0, count + 1).join(' '), size).width <= width)
      count += 1;
    written.push(shortened(words.slice(0, count).join(' '), { size, width }));
    words = words.slice(count);
  }
  return written;
}

function shortened(line: string, { size, width }: { size: number; width: number }): Lettering {
  const whole = write(line, size);
  if (whole.width <= width) return whole;
  const letters = [...line];
  // About as many as fit, since each measurement takes time.
  for (let count = Math.ceil((letters.length * width) / whole.width) + 2; count > 0; count -= 1) {
    const cut = write(`${letters.slice(0, count).join('').trimEnd()}…`, size);
    if (cut.width <= width) return cut;
  }
  return write('…', size);
}

/** Parts of a text that one font file can draw. */
function runsOf(text: string): { font: Font; run: string }[] {
  const runs: { font: Font; run: string }[] = [];
  for (const letter of text.normalize('NFC')) {
    const last = runs.at(-1);
    const font = last?.font.hasGlyphForCodePoint(codePoint(letter)) ? last.font : fontFor(letter);
    if (!font) continue;
    if (last && last.font === font) last.run += letter;
    else runs.push({ font, run: letter });
  }
  return runs;
}

function fontFor(letter: string): Font | undefined {
  return fonts().find((font) => font.hasGlyphForCodePoint(codePoint(letter)));
}

function codePoint(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}
