import { plural, t } from '@lingui/core/macro';
import { z } from 'zod';
import { listed } from './locale.ts';
import { quote } from './words.ts';

/** Why a file of a mail, or a mail's text, was not read. */
const FILE_REASONS = ['type', 'broken', 'winmail', 'locked', 'unread'] as const;

/**
 * What a reader of coupons has left out. Each reader of a table, a mail or a picture answers what it has found, with its
 * doubts by field, and this.
 */
export const leftOutSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('columns'), names: z.array(z.string()) }),
  z.object({ what: z.literal('line'), line: z.int(), problem: z.string() }),
  z.object({ what: z.literal('rows'), count: z.int() }).describe('Rows behind those that are read'),
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
      return t`Columns that we do not know: ${listed(one.names)}.`;
    case 'line':
      return t`Line ${one.line}: ${one.problem}.`;
    case 'rows':
      return plural(one.count, {
        one: '# more row is left out: add it with another table.',
        other: '# more rows are left out: add them with another table.',
      });
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
