import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { seenText } from '#server/core/text.ts';
import type { TextLine, TextReading } from '../prints/lines.ts';
import type { GreyPicture } from './found-codes.ts';
import { blurred, evenlyLit, greyOf, normalised, resized, rotated } from './pixels.ts';
import { decodePicture } from './reading.ts';

/** The languages of Canada, each a file of a package of its own. */
const LANGUAGES = {
  eng: import.meta.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz'),
  fra: import.meta.resolve('@tesseract.js-data/fra/4.0.0_best_int/fra.traineddata.gz'),
};

/** The longer side of the picture that is read: in larger ones fewer words are found, and each takes longer. */
const SIDE_PX = 1000;
/** A smaller picture is enlarged at most this much. */
const MOST_ENLARGED = 3;

/** Of its networks with short-term memory; the other engine is not in this build. */
const LSTM_ONLY = 1;
/** Text anywhere in the picture, in no order: a coupon is no page of a book. */
const SPARSE_TEXT = '11';

/** The slant is measured in a picture whose longer side is this long. */
const SLANT_PX = 400;
/** In degrees. */
const MOST_SLANTED = 40;
/** A picture turned by less is read as it is. */
const LEAST_DEGREES = 3;

// A static import would load it in every process of pictures: they share one bundle.
const { default: openTesseract } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
const { FS, TessBaseAPI } = await openTesseract({ print: () => undefined, printErr: () => undefined });
const tesseract = new TessBaseAPI();
for (const [language, file] of Object.entries(LANGUAGES))
  FS.writeFile(`${language}.traineddata`, await promisify(gunzip)(await readFile(fileURLToPath(file))));
if (tesseract.Init(null, Object.keys(LANGUAGES).join('+'), LSTM_ONLY) !== 0)
  throw new Error('The languages of Tesseract cannot be read');
tesseract.SetVariable('tessedit_pageseg_mode', SPARSE_TEXT);

/** How a picture may lie, in degrees that it is turned by. */
const TURNS = [0, 180, 90, 270];
/** A reading of fewer letters, or of words that are read worse on average, is of no text that stands upright. */
const LEAST_LETTERS = 12;
const UPRIGHT_CONFIDENCE = 75;

/**
 * Reads the lines of text in a picture twice: as it is, and with its light evened out. A picture that lies on its side or
 * its head is turned.
 * @throws PictureRefusal
 */
export async function readText(file: Uint8Array): Promise<TextReading[]> {
  const soft = await blurred(await fitted(await greyOf(await decodePicture(file))));
  let best: { level: GreyPicture; reading: TextLine[]; legibility: number } | null = null;
  for (const turn of TURNS) {
    const level = await levelled(turn === 0 ? soft : await rotated(soft, turn));
    const reading = recognise(normalised(level));
    const { letters, confidence } = legibilityOf(reading);
    const legibility = letters * confidence;
    if (!best || legibility > best.legibility) best = { level, reading, legibility };
    if (letters >= LEAST_LETTERS && confidence >= UPRIGHT_CONFIDENCE) break;
  }
  return best ? [best.reading, recognise(await evenlyLit(best.level))] : [];
}

/** How many letters and digits were read, and how well on average, in per cent. */
function legibilityOf(lines: readonly TextLine[]): { letters: number; confidence: number } {
  const words = lines.flatMap(({ words: own }) =>
    own.map(({ text, confidence }) => ({ size: text.match(/[\p{L}\p{N}]/gu)?.length ?? 0, confidence })),
  );
  const letters = words.reduce((sum, { size }) => sum + size, 0);
  const sum = words.reduce((all, { size, confidence }) => all + size * confidence, 0);
  return { letters, confidence: sum / Math.max(1, letters) };
}

async function levelled(picture: GreyPicture): Promise<GreyPicture> {
  const degrees = await slantOf(picture);
  return Math.abs(degrees) < LEAST_DEGREES ? picture : fitted(await rotated(picture, -degrees));
}

async function fitted(picture: GreyPicture): Promise<GreyPicture> {
  const factor = Math.min(MOST_ENLARGED, SIDE_PX / Math.max(picture.width, picture.height));
  return factor === 1 ? picture : resized(picture, factor);
}

function recognise({ data, width, height }: GreyPicture): TextLine[] {
  FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), data]));
  if (tesseract.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot open the picture');
  tesseract.Recognize(null);
  const lines = linesOf(tesseract.GetTSVText(0));
  tesseract.Clear();
  return lines;
}

/** The words of a table of Tesseract's, which names the block, paragraph and line of each. */
function linesOf(table: string): TextLine[] {
  const lines = new Map<string, TextLine>();
  for (const row of table.split('\n')) {
    const [level, , block, paragraph, line, , x, y, width, tall, confidence, text = ''] = row.split('\t');
    if (level !== '5' || text.trim() === '') continue;
    const key = `${block} ${paragraph} ${line}`;
    const [left, top, right] = [Number(x), Number(y), Number(x) + Number(width)];
    const word = { text: seenText(text).trim(), confidence: Number(confidence) };
    const before = lines.get(key) ?? { words: [], left, right, top, height: 0 };
    lines.set(key, {
      words: [...before.words, word],
      left: Math.min(before.left, left),
      right: Math.max(before.right, right),
      top: Math.min(before.top, top),
      height: Math.max(before.height, Number(tall)),
    });
  }
  return [...lines.values()];
}

/** How far lines of text are slanted, in degrees clockwise: in the right direction, rows are dark or light, not both. */
async function slantOf(picture: GreyPicture): Promise<number> {
  const small = await resized(picture, SLANT_PX / Math.max(picture.width, picture.height));
  let best = { degrees: 0, contrast: 0 };
  for (let degrees = -MOST_SLANTED; degrees <= MOST_SLANTED; degrees += 1) {
    const contrast = rowContrast(small, Math.tan((degrees * Math.PI) / 180));
    // Not turned without a reason.
    if (contrast > best.contrast * (degrees === 0 ? 0.95 : 1)) best = { degrees, contrast };
  }
  return best.degrees;
}

/** How much the rows of a slope differ from their neighbours. */
function rowContrast({ data, width, height }: GreyPicture, slope: number): number {
  const sums = new Float64Array(height);
  const counts = new Float64Array(height);
  for (let y = 0; y < height; y += 1)
    for (let x = 1; x < width; x += 1) {
      const row = Math.round(y - (x - width / 2) * slope);
      if (row < 0 || row >= height) continue;
      const at = y * width + x;
      // Edges count, not areas: the table around the coupon has none.
      sums[row] = (sums[row] ?? 0) + Math.abs((data[at] ?? 0) - (data[at - 1] ?? 0));
      counts[row] = (counts[row] ?? 0) + 1;
    }
  let contrast = 0;
  for (let row = 1; row < height; row += 1) {
    const [here, before] = [row, row - 1].map(
      (each) => (sums[each] ?? 0) / Math.max(width / 3, counts[each] ?? 0),
    );
    contrast += ((here ?? 0) - (before ?? 0)) ** 2;
  }
  return contrast;
}
