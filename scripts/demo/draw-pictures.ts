/** `npm run demo:pictures`: encodes the demo's drawings like uploaded pictures, into scripts/demo/pictures.json. */
import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { PictureKind } from '#contract/people/pictures.ts';
import { openPictures } from '#server/readers/pictures/open-pictures.ts';
import { FACE_DRAWINGS, OFFER_DRAWINGS } from './drawings.ts';
import { ENCODED_FILE, hashOf } from './pictures.ts';

const pictures = openPictures();
const encode = async (drawing: string, kind: PictureKind) => {
  const png = await sharp(Buffer.from(drawing)).png().toBuffer();
  const { width, height, hasCode, files } = await pictures.publish(png, kind);
  if (hasCode) throw new Error('A code can be read in a drawing');
  const texts = files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes).toString('base64') }));
  return [hashOf(drawing), { width, height, files: texts }];
};
const entries = [];
for (const drawing of Object.values(OFFER_DRAWINGS)) entries.push(await encode(drawing, 'offer'));
for (const drawing of Object.values(FACE_DRAWINGS)) entries.push(await encode(drawing, 'profile'));
await writeFile(ENCODED_FILE, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
await pictures.close();
