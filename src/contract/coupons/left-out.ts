import { plural, t } from '@lingui/core/macro';
import { z } from 'zod';
import { listed } from '#contract/base/locale.ts';
import { quote } from '#contract/base/words.ts';

/** Why a file of a mail, or a mail's text, was not read. */
const FILE_REASONS = ['type', 'broken', 'winmail', 'locked', 'unread'] as const;

/** Why a cell has no value of its own. */
const CELL_REASONS = ['formula', 'error', 'merged'] as const;
export type CellReason = (typeof CELL_REASONS)[number];

/**
 * What a reader of coupons has left out. Each reader of a table, a mail or a picture answers what it has found, with its
 * doubts by field, and this.
 */
export const leftOutSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('columns'), names: z.array(z.string()) }),
  z.object({ what: z.literal('line'), line: z.int(), problem: z.string() }),
  z.object({ what: z.literal('rows'), count: z.int() }).describe('Rows behind those that are read'),
  z.object({ what: z.literal('cells'), names: z.array(z.string()), why: z.enum(CELL_REASONS) }),
  z.object({ what: z.literal('hiddenRows'), count: z.int() }),
  z.object({ what: z.literal('hiddenColumns'), names: z.array(z.string()) }),
  z.object({ what: z.literal('sheets'), names: z.array(z.string()), isHidden: z.boolean() }),
  z.object({ what: z.literal('file'), name: z.string(), why: z.enum(FILE_REASONS) }),
  z.object({ what: z.literal('files'), count: z.int() }).describe('Files behind the first ten of an email'),
  z
    .object({ what: z.literal('pages'), name: z.string(), count: z.int() })
    .describe('Pages behind those that are read'),
  z.object({ what: z.literal('drafts'), count: z.int() }).describe('Coupons for which there was no room'),
  z.object({ what: z.literal('text') }).describe('The end of a long email'),
  z
    .object({ what: z.literal('codes'), count: z.int() })
    .describe('Codes behind those of an email that are read'),
  z.object({ what: z.literal('mail') }).describe('An email of which nothing could be read'),
]);
export type LeftOut = z.output<typeof leftOutSchema>;

/** The sentence for people, in the present language. */
export function leftOutText(one: LeftOut): string {
  switch (one.what) {
    case 'columns':
      return t`Columns that we did not read: ${listed(one.names)}.`;
    case 'line':
      return t`Line ${one.line}: ${one.problem}.`;
    case 'rows':
      return plural(one.count, {
        one: '# more row is left out: add it with another table.',
        other: '# more rows are left out: add them with another table.',
      });
    case 'cells':
      return cellsText(one);
    case 'hiddenRows':
      return plural(one.count, {
        one: '# hidden row is left out. Show it in your spreadsheet to add it.',
        other: '# hidden rows are left out. Show them in your spreadsheet to add them.',
      });
    case 'hiddenColumns':
      return t`Hidden columns: ${listed(one.names)}.`;
    case 'sheets':
      return one.isHidden
        ? t`Hidden sheets: ${listed(one.names.map(quote))}.`
        : t`Other sheets: ${listed(one.names.map(quote))}. Save each as a file of its own to add it.`;
    case 'file':
      return fileText(one);
    case 'files':
      return plural(one.count, {
        one: '# more file was left out: we read ten files of an email.',
        other: '# more files were left out: we read ten files of an email.',
      });
    case 'pages':
      return pagesText(one);
    case 'drafts':
      return plural(one.count, {
        one: '# more coupon had no room. List or remove some, and forward the email again.',
        other: '# more coupons had no room. List or remove some, and forward the email again.',
      });
    case 'text':
      return t`We read only the beginning of this long email.`;
    case 'codes':
      return plural(one.count, {
        one: '# more code of the email was left out.',
        other: '# more codes of the email were left out.',
      });
    case 'mail':
      return t`We could not read the text of this email.`;
  }
}

function cellsText({ names, why }: Extract<LeftOut, { what: 'cells' }>): string {
  const cells = listed(names);
  switch (why) {
    case 'formula':
      return t`Formulas without a stored result: ${cells}. Open the file in your spreadsheet, and save it again.`;
    case 'error':
      return t`Cells with an error in place of a value: ${cells}.`;
    case 'merged':
      return t`Cells that are merged with others, of which only the first has a value: ${cells}.`;
  }
}

function pagesText({ name: given, count }: Extract<LeftOut, { what: 'pages' }>): string {
  const name = quote(given);
  return plural(count, {
    one: `# more page of ${name} is left out.`,
    other: `# more pages of ${name} are left out.`,
  });
}

function fileText({ name: given, why }: Extract<LeftOut, { what: 'file' }>): string {
  const name = quote(given);
  switch (why) {
    case 'type':
      return t`We cannot read files like ${name}.`;
    case 'broken':
      return t`The file ${name} cannot be read: it is damaged.`;
    case 'winmail':
      return t`The attachments are packed in ${name}, which only Outlook opens. Send them as a normal email or as files.`;
    case 'locked':
      return t`The file ${name} is locked with a password.`;
    case 'unread':
      return t`The file ${name} could not be read.`;
  }
}
