import type { ExtractCodeInput, ExtractedCode, FoundCode, StatedFacts } from '#contract/coupons/images.ts';
import { couponsOfPicture, FIRST_KIND } from '#contract/coupons/read-coupons.ts';
import { imageProblem, sizeProblem, uploadImage } from '#web/lib/upload.ts';
import { FileProblem } from './file-problem.ts';
import { newRow, type Row } from './rows.ts';

interface Reader {
  readonly extract: (input: ExtractCodeInput) => Promise<ExtractedCode>;
  readonly readPrint: (imageUrl: string) => Promise<StatedFacts>;
  /** Called before each page of a document. */
  readonly onPage: (page: number, pages: number) => void;
  readonly signal: AbortSignal;
}

/** An uploaded picture or page. */
interface Uploaded {
  readonly url: string;
  readonly codes: readonly FoundCode[];
  readonly facts: StatedFacts | undefined;
}

/**
 * The rows of a picture, wallet passes or a PDF: one a code. Of a PDF, pages without a code are left out, unless all are.
 * @throws FileProblem, TRPCClientError, DOMException 'AbortError'
 */
export async function rowsOfPicture(file: File, reader: Reader): Promise<Row[]> {
  const problem = imageProblem(FIRST_KIND, file);
  if (problem !== null) throw new FileProblem(problem);
  const { reducedPhoto } = await import('#web/lib/picture-canvas.ts');
  const sent = await reducedPhoto(file);
  const tooLarge = sizeProblem(sent);
  if (tooLarge !== null) throw new FileProblem(tooLarge);
  const isDocument = /\.(?:pdf|pkpasses)$/i.test(file.name) || file.type === 'application/pdf';
  const uploads = isDocument ? await uploadPages(sent, reader) : [await upload(sent, reader)];
  const withCodes = uploads.filter(({ codes }) => codes.length > 0);
  const rows: Row[] = [];
  for (const uploaded of withCodes.length > 0 ? withCodes : uploads.slice(0, 1)) {
    const facts = uploaded.facts ?? (await printOf(uploaded, reader));
    rows.push(...couponsOfPicture({ ...uploaded, facts }).map(newRow));
  }
  return rows;
}

/** What is printed beside the only code. A row without it is as good as one that says nothing. */
async function printOf({ url, codes }: Uploaded, { readPrint }: Reader): Promise<StatedFacts | undefined> {
  if (codes.length > 1) return undefined;
  return readPrint(url).catch(() => undefined);
}

async function upload(file: File, { extract, signal }: Reader, page?: number) {
  const { url, facts, pages = 1 } = await uploadImage(FIRST_KIND, file, { signal, page });
  const { codes } = await extract({ imageUrl: url, imageType: FIRST_KIND });
  return { url, codes, facts, pages };
}

async function uploadPages(file: File, reader: Reader): Promise<Uploaded[]> {
  const uploads: Uploaded[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    reader.onPage(page, pages);
    const uploaded = await upload(file, reader, page);
    pages = uploaded.pages;
    uploads.push(uploaded);
  }
  return uploads;
}
