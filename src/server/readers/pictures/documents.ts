import type { PDFiumPage } from '@hyzyla/pdfium';
import { PAGES_ONE_BY_ONE_MAX } from '#contract/coupons/images.ts';
import { PictureRefusal } from './pictures.ts';

const { PDFiumLibrary, PDFiumModule } = await import('@hyzyla/pdfium');

/** The most pages of a PDF that are read together: each costs a search. */
const PAGES_AT_ONCE_MAX = 10;

/** How many objects of a page are looked at for a scan: it is among the first. */
const MAX_OBJECTS = 50;

/** Pixels per point, of which an inch has 72: no printed code needs more than 300 pixels an inch. */
const MAX_SCALE = 300 / 72;

/** A page as pixels, four bytes each, opaque. */
export interface Page {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Whether it contains a picture: it may be a scan. */
  readonly hasPicture: boolean;
  /** How many pages the document has. */
  readonly count: number;
}

/**
 * Renders a PDF page by page, the longer side of each `side` pixels at most. PDFium is built without JavaScript, so no
 * script of a document runs. Each document gets its own instance, so that it cannot harm the next one.
 * @param only the number of the only page that is wanted, from 1
 * @throws PictureRefusal
 */
export async function* renderPages(file: Uint8Array, side: number, only?: number): AsyncGenerator<Page> {
  const library = await openLibrary();
  const document = await library.loadDocument(file).catch(refuse);
  const count = document.getPageCount();
  if (count === 0) throw new PictureRefusal('broken');
  if (count > (only === undefined ? PAGES_AT_ONCE_MAX : PAGES_ONE_BY_ONE_MAX))
    throw new PictureRefusal('too_many_parts');
  if (only !== undefined && only > count) throw new PictureRefusal('no_such_page');
  const [first, last] = only === undefined ? [0, count - 1] : [only - 1, only - 1];
  for (let index = first; index <= last; index += 1) {
    try {
      const page = document.getPage(index);
      const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
      const scale = Math.min(MAX_SCALE, side / Math.max(width, height, 1));
      const size = { width: pixels(width * scale), height: pixels(height * scale) };
      const hasPicture = showsPicture(page);
      const { data } = await page.render({ ...size, render: 'bitmap', colorSpace: 'BGRA' });
      yield { data, ...size, hasPicture, count };
    } catch (error) {
      refuse(error);
    }
  }
}

function showsPicture(page: PDFiumPage): boolean {
  const count = Math.min(page.getObjectCount(), MAX_OBJECTS);
  return Array.from({ length: count }, (_, index) => page.getObject(index).type).includes('image');
}

function openLibrary() {
  // We do not need its messages about broken documents.
  const quiet = { print: () => undefined, printErr: () => undefined };
  return PDFiumLibrary.initBase({ vendor: (options) => PDFiumModule({ ...options, ...quiet }) });
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length));
}

/** Also when it needs more memory than it may have. */
function refuse(error: unknown): never {
  const isLocked = error instanceof Error && /password|security/i.test(error.message);
  throw new PictureRefusal(isLocked ? 'locked' : 'broken');
}
