import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Company } from '#contract/base/company.ts';
import { COUNTRY_CODES } from '#contract/base/countries.ts';
import { LANGUAGE_CODES, type Language } from '#contract/base/i18n.ts';
import { LEGAL_PAGES } from '#contract/base/legal-texts.ts';
import type { Taglines } from '#contract/base/market.ts';
import type { Currency } from '#contract/base/money.ts';
import { CATEGORIES } from '#contract/coupons/choices.ts';
import { BASE_CURRENCIES } from './base-currencies.ts';
import { DEFAULT_COLORS, paletteOf, unreadable } from './market-colors.ts';

/** The name of an installed application under its icon: systems cut longer ones. */
const SHORT_NAME_MAX = 12;
/** As many whole words as fit. */
const FITTING = new RegExp(`^.{1,${SHORT_NAME_MAX}}(?=\\s|$)`, 'u');
/** In pixels. */
const ICON_SIZE = 512;
const LOGO_BYTES = 100_000;
const LEGAL_BYTES = 300_000;

/** One line of a person's words. */
const line = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}<>{}]*$/u, 'must be one line without < > { }');

const color = z
  .string()
  .regex(/^#[\da-f]{6}$/i, 'must be a colour such as #1f5f8b')
  .toLowerCase();
const pair = (usual: { readonly ground: string; readonly ink: string }) =>
  z.strictObject({ ground: color.default(usual.ground), ink: color.default(usual.ink) }).default(usual);
const colorsSchema = z.strictObject({
  primary: color.default(DEFAULT_COLORS.primary),
  light: pair(DEFAULT_COLORS.light),
  dark: pair(DEFAULT_COLORS.dark),
});

const fileName = z.string().regex(/^[\w-][\w.-]*$/, 'must be the name of a file in this folder');

/** A text in each language, up to `max` characters; that of the market's language is needed, and for those without one. */
const inLanguages = (max: number, usual: Language) =>
  z
    .strictObject(
      Object.fromEntries(LANGUAGE_CODES.map((code) => [code, line(max).optional()])) as Record<
        Language,
        z.ZodOptional<z.ZodString>
      >,
    )
    .transform((texts, ctx) => {
      const text = texts[usual];
      if (text !== undefined) return { ...texts, en: texts.en ?? text };
      const message = 'is missing: texts need the language of the market';
      ctx.addIssue({ code: 'custom', path: [usual], message });
      return z.NEVER;
    });

const company = z.strictObject({
  name: line(100),
  address: z.array(line(100)).min(1).max(6),
  taxNumber: line(50).optional(),
  email: z.email().optional(),
});

const key = z.enum(CATEGORIES, { error: `must be one of ${CATEGORIES.join(', ')}` });
/** A category, alone or with a name of its own. */
const categoryIn = (usual: Language) =>
  z.union(
    [
      key.transform((one) => ({ key: one, name: undefined })),
      z.strictObject({ key, name: inLanguages(30, usual) }),
    ],
    {
      error: `must be one of ${CATEGORIES.join(', ')}, or { "key": "food", "name": { "${usual}": "Meals" } }`,
    },
  );
const categoriesIn = (usual: Language) =>
  z
    .array(categoryIn(usual))
    .min(1)
    .refine((all) => new Set(all.map((one) => one.key)).size === all.length, 'must name each one once');

/** Which languages there are to choose from, for settings. */
export const languageSchema = z.enum(LANGUAGE_CODES, {
  error: `must be one of ${LANGUAGE_CODES.join(', ')}`,
});

/** What `market.json` may say; what it leaves out stays as it is. @param usual the language that its texts need */
const marketSchemaIn = (usual: Language) =>
  z.strictObject({
    language: languageSchema.optional(),
    name: line(30).default('ClipSwap'),
    shortName: line(SHORT_NAME_MAX).optional(),
    colors: colorsSchema.optional(),
    logo: fileName.optional(),
    icon: fileName.optional(),
    countries: z
      .array(z.string().refine((code) => COUNTRY_CODES.includes(code), 'must be a country code such as CA'))
      .min(1)
      .optional(),
    tagline: inLanguages(80, usual).optional(),
    company: company.optional(),
    categories: categoriesIn(usual).optional(),
    currency: z
      .enum(BASE_CURRENCIES, { error: `must be one of ${BASE_CURRENCIES.join(', ')}` })
      .default('CAD'),
    mailFrom: z.string().min(3).max(200).optional(),
    supportEmail: z.email().optional(),
    fees: z
      .strictObject({
        buyerPercent: z.number().optional(),
        buyerMinimumCents: z.number().optional(),
        sellerPercent: z.number().optional(),
        sellerMinimumCents: z.number().optional(),
      })
      .default({}),
  });

/** How a market differs from others. */
export interface Market {
  readonly name: string;
  /** For whoever wishes none of our languages. */
  readonly language: Language;
  /** Of the installed application. */
  readonly shortName: string;
  /** What takes the place of each colour of the theme; empty: they stay. */
  readonly palette: ReadonlyMap<string, string>;
  /** An SVG document; null: the usual one. */
  readonly logo: string | null;
  /** A square PNG of at least 512 pixels; null: the usual one. */
  readonly icon: Buffer | null;
  /** The countries that people choose from, as codes; null: all. */
  readonly countries: readonly string[] | null;
  /** What it says of itself in one line; null: what we say. */
  readonly tagline: Taglines | null;
  /** Who runs it; null: nobody says it. */
  readonly company: Company | null;
  /** The categories that it offers, in order, some with names of their own; null: the usual ones. */
  readonly categories: z.output<ReturnType<typeof categoriesIn>> | null;
  /** In which prices are stored and charged. */
  readonly currency: Currency;
  /** Its legal texts as Markdown, by page and language: 'terms.en'. */
  readonly legalTexts: ReadonlyMap<string, string>;
  /** Settings of the environment that the folder makes: what the environment itself sets comes first. */
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * Reads the folder that makes a market somebody's own; called once, at start.
 * @param folder with `market.json`; null: everything is as by default
 * @param wished the language that comes before that of the folder
 * @throws Error that names the file and what is wrong with it
 */
export function readMarket(folder: string | null, wished?: Language): Market {
  const file = folder === null ? null : readJson(folder);
  const language = wished ?? languageSchema.catch('en').parse(Object(file).language);
  const given = folder === null ? marketSchemaIn(language).parse({}) : readSettings(folder, file, language);
  const { name, shortName, colors, logo, icon, countries, currency, mailFrom, supportEmail, fees } = given;
  const settings = {
    MAIL_FROM: mailFrom,
    SUPPORT_EMAIL: supportEmail,
    BUYER_FEE_PERCENT: fees.buyerPercent,
    BUYER_FEE_MINIMUM_CENTS: fees.buyerMinimumCents,
    SELLER_FEE_PERCENT: fees.sellerPercent,
    SELLER_FEE_MINIMUM_CENTS: fees.sellerMinimumCents,
  };
  return {
    name,
    language,
    shortName: shortName ?? shortened(name),
    palette: colors ? paletteOf(colors) : new Map(),
    logo: folder !== null && logo ? readLogo(path.resolve(folder, logo)) : null,
    icon: folder !== null && icon ? readIcon(path.resolve(folder, icon)) : null,
    countries: countries ?? null,
    tagline: given.tagline ?? null,
    company: given.company ?? null,
    categories: given.categories ?? null,
    currency,
    legalTexts: folder === null ? new Map() : readLegalTexts(path.resolve(folder, 'legal'), language),
    settings: Object.fromEntries(
      Object.entries(settings).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
    ),
  };
}

/** As many whole words as fit, at least the beginning of the first one. */
function shortened(name: string): string {
  return FITTING.exec(name)?.[0] ?? name.slice(0, SHORT_NAME_MAX);
}

const refusal = (file: string, what: string, cause?: unknown) =>
  new Error(`MARKET_DIR: ${file} ${what}`, { cause });

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw refusal(file, 'cannot be read', error);
  }
}

const settingsFile = (folder: string) => path.resolve(folder, 'market.json');

function readJson(folder: string): unknown {
  const file = settingsFile(folder);
  try {
    return JSON.parse(read(file).toString('utf8'));
  } catch (error) {
    throw error instanceof SyntaxError ? refusal(file, 'is no JSON', error) : error;
  }
}

function readSettings(
  folder: string,
  given: unknown,
  language: Language,
): z.output<ReturnType<typeof marketSchemaIn>> {
  const file = settingsFile(folder);
  const { data, error } = marketSchemaIn(language).safeParse(given);
  const problems = error
    ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    : unreadable(data.colors ?? DEFAULT_COLORS);
  if (!data || problems.length > 0)
    throw refusal(file, `is not usable:\n${problems.map((one) => `  ${one}`).join('\n')}`);
  return data;
}

function readLogo(file: string): string {
  const svg = read(file);
  if (svg.length > LOGO_BYTES) throw refusal(file, `is larger than ${LOGO_BYTES / 1_000} kB`);
  const text = svg.toString('utf8');
  let drawing = text.trimStart();
  if (drawing.startsWith('<?xml')) drawing = behind('>', drawing);
  while (drawing.startsWith('<!--')) drawing = behind('-->', drawing);
  if (!/^<svg[\s>]/.test(drawing)) throw refusal(file, 'is no SVG drawing');
  return text;
}

/** What stands behind the first such end; nothing without one. */
function behind(end: string, text: string): string {
  const at = text.indexOf(end);
  return at === -1 ? '' : text.slice(at + end.length).trimStart();
}

function readIcon(file: string): Buffer {
  const png = read(file);
  const isPng =
    png.length > 24 && png.toString('latin1', 1, 4) === 'PNG' && png.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) throw refusal(file, 'is no PNG picture');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (width !== height || width < ICON_SIZE)
    throw refusal(file, `must be a square of at least ${ICON_SIZE} pixels, and has ${width} × ${height}`);
  return png;
}

function readLegalTexts(folder: string, usual: Language): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  if (!existsSync(folder)) return texts;
  const known = LEGAL_PAGES.flatMap((page) => LANGUAGE_CODES.map((language) => `${page}.${language}`));
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const key = name.replace(/\.md$/, '');
    if (key === name || !known.includes(key))
      throw refusal(file, `is no legal text: their names are ${known.map((one) => `${one}.md`).join(', ')}`);
    const text = read(file).toString('utf8').trim();
    if (text === '' || text.length > LEGAL_BYTES)
      throw refusal(file, `is empty or larger than ${LEGAL_BYTES / 1_000} kB`);
    texts.set(key, text);
  }
  for (const page of LEGAL_PAGES) {
    if (![...texts.keys()].some((key) => key.startsWith(`${page}.`))) continue;
    const text = texts.get(`${page}.${usual}`);
    if (text === undefined)
      throw refusal(
        path.join(folder, `${page}.${usual}.md`),
        'is missing: other languages need the text in the language of the market beside them',
      );
    // For the languages that have no text of their own.
    if (!texts.has(`${page}.en`)) texts.set(`${page}.en`, text);
  }
  return texts;
}
