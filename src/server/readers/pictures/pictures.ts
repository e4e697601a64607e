import type { CouponTable, DateOrder, ReadTableInput } from '#contract/coupons/coupon-tables.ts';
import type { FoundCode, ImageKind, StatedFacts } from '#contract/coupons/images.ts';
import type { PictureFormat } from '#contract/people/picture-addresses.ts';
import type { PictureKind } from '#contract/people/pictures.ts';
import type { ToldCoupons } from '../mails/mail-text.ts';
import type { OpenedMail } from '../mails/opening.ts';
import type { MailPart } from '../mails/parts.ts';
import type { Print } from '../prints/print.ts';

/** A picture that was decoded and encoded again: of the uploaded file it only has the pixels. */
export interface ReadPicture {
  readonly bytes: Buffer;
  readonly contentType: 'image/webp' | 'image/png';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** All the codes found, the likeliest first; positions in pixels of `bytes`. */
  readonly codes: readonly FoundCode[];
  /** What a wallet pass says; null of a picture. */
  readonly facts: StatedFacts | null;
  /** How many pages its document has, where one of them was asked for. */
  readonly pages?: number;
}

/** A picture for everybody. */
export interface PublicPicture {
  /** Of the largest size, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Whether a code can be read in it; it then has no files. */
  readonly hasCode: boolean;
  readonly files: readonly {
    readonly width: number;
    readonly format: PictureFormat;
    readonly bytes: Uint8Array;
  }[];
}

/** A drawing of a code. */
export interface DrawnCode {
  readonly bytes: Buffer;
  readonly contentType: 'image/png' | 'image/svg+xml';
}

/** A picture of a code, and the code in it that is meant. */
export interface PicturedCode {
  readonly file: Uint8Array;
  readonly code: FoundCode;
}

/** The PNGs of a wallet pass; the icons for screens with one, two and three pixels a point. */
export interface PassPictures {
  readonly icons: readonly Uint8Array[];
  readonly logos: readonly Uint8Array[];
  /** The picture's symbol; null if there is none, or if it cannot be shown with its bytes. */
  readonly strip: Uint8Array | null;
}

/** What a drawn ticket for link previews says. Never a code. */
/** In the form '#rrggbb'. */
interface CardColors {
  readonly paper: string;
  readonly ticket: string;
  readonly ink: string;
  readonly dimmed: string;
  readonly market: string;
}

export interface Card {
  /** On the stub: a word or number in large letters, and what stands below it. */
  readonly stub: readonly [large: string, small?: string];
  readonly merchant: string;
  readonly title: string;
  /** In place of a title in a script that the font lacks. */
  readonly untitled?: string;
  /** The last line. */
  readonly note: string;
  /** Whose coupons they are. */
  readonly market: string;
  readonly colors: CardColors;
}

/** What is known of a coupon whose print is read. */
export interface PrintToRead {
  /** The day on which it is looked at: '2030-01-01'. */
  readonly today: string;
  /** Those in its picture. */
  readonly codes: readonly string[];
}

/**
 * Why a file or text is refused. It is `busy` while too many others wait, and `interrupted` when the process died that
 * read it: a later attempt may succeed.
 */
export type PictureProblem =
  | 'busy'
  | 'not_an_image'
  | 'too_many_pixels'
  | 'broken'
  | 'too_slow'
  | 'interrupted'
  /** Encrypted. */
  | 'locked'
  | 'too_many_parts'
  /** A document has fewer pages. */
  | 'no_such_page'
  /** A wallet pass, or an archive, that cannot be read. */
  | 'broken_pass'
  /** A bundle of several wallet passes. */
  | 'many_passes'
  /** A wallet pass without a barcode. */
  | 'no_barcode'
  /** A wallet pass whose barcode cannot be drawn with its bytes. */
  | 'other_barcode'
  /** A wallet pass that its issuer has marked as void. */
  | 'used_pass'
  /** A code in it could not be covered. */
  | 'shows_code';

export class PictureRefusal extends Error {
  override readonly name = 'PictureRefusal';
  readonly problem: PictureProblem;

  constructor(problem: PictureProblem) {
    super(`The picture was refused: ${problem}`);
    this.problem = problem;
  }
}

/** Reads what others wrote and draws pictures in processes of their own, so that no file or text can stop the program. */
export interface Pictures {
  /**
   * Encodes an uploaded file again and finds the codes in it.
   * @param page of a document, from 1; else it is the first with a code
   * @throws PictureRefusal
   */
  read(file: Uint8Array, page?: number): Promise<ReadPicture>;
  /**
   * Reads what is printed on the coupon in a picture. Reads one picture at a time; further ones are refused while a few
   * wait.
   * @throws PictureRefusal
   */
  readPrint(file: Uint8Array, about: PrintToRead): Promise<Print>;
  /**
   * Reads a table that somebody has typed or pasted as coupons.
   * @throws PictureRefusal
   */
  readTable(table: ReadTableInput): Promise<CouponTable>;
  /**
   * Reads a CSV file, or the first visible sheet of a workbook (XLSX) that names columns, as coupons.
   * @param dateOrder how to read 03/04/2030 where no date of the table decides; without it, as in the language of whoever asks
   * @throws PictureRefusal
   */
  readTableFile(kind: 'csv' | 'workbook', file: Uint8Array, dateOrder?: DateOrder): Promise<CouponTable>;
  /**
   * Reads the bytes of a mail (RFC 5322); null where it is past the limits of one.
   * @throws PictureRefusal
   */
  openMail(raw: Uint8Array): Promise<OpenedMail | null>;
  /**
   * Reads the text of a mail as that of coupons.
   * @param today the day on which it is read: '2030-01-01'
   * @throws PictureRefusal
   */
  readMailText(part: MailPart, today: string): Promise<ToldCoupons>;
  /**
   * Encodes an uploaded picture again with every code painted over that can be read in it.
   * @throws PictureRefusal
   */
  cover(file: Uint8Array): Promise<ReadPicture>;
  /**
   * Encodes an uploaded file again in every size and format, unless a code can be read in it.
   * @throws PictureRefusal
   */
  publish(file: Uint8Array, kind: PictureKind): Promise<PublicPicture>;
  /**
   * Draws a code; null if that is impossible (the text is too long, or the symbology lacks characters).
   * @throws PictureRefusal
   */
  draw(kind: ImageKind, code: string): Promise<DrawnCode | null>;
  /**
   * Draws what a wallet pass shows.
   * @param pictured a symbol that the wallet cannot draw itself
   * @throws PictureRefusal
   */
  drawPass(pictured: PicturedCode | null): Promise<PassPictures>;
  /**
   * Draws a ticket as a PNG, and keeps the latest ones.
   * @throws PictureRefusal
   */
  drawCard(card: Card): Promise<Buffer>;
  /**
   * Draws the icons of the installed application.
   * @param picture an SVG, or a square picture of at least 512 pixels
   * @param ground the colour around it
   * @returns PNG files by their names
   */
  drawIcons(picture: Uint8Array, ground: string): Promise<ReadonlyMap<string, Buffer>>;
  close(): Promise<void>;
}
