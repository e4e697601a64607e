import { plural, t } from '@lingui/core/macro';
import { z } from 'zod';
import { listed } from './locale.ts';
import { quote } from './words.ts';

/** Why a file of a mail, or a mail's text, was not read. */
const FILE_REASONS = ['type', 'broken', 'winmail', 'too_many', 'locked'] as const;

/**
 * What a reader of coupons has left out. Each reader of a table, a mail or a picture answers what it has found, with its
 * doubts by field, and this.
 */
export const leftOutSchema = z.discriminatedUnion('what', [
  z.object({ what: z.literal('columns'), names: z.array(z.string()) }),
  z.object({ what: z.literal('line'), line: z.int(), problem: z.string() }),
  z.object({ what: z.literal('rows'), count: z.int() }).describe('Rows behind those that are read'),
  z.object({ what: z.literal('file'), name: z.string(), why: z.enum(FILE_REASONS) }),
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
  }
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
    case 'too_many':
      return t`The file ${name} was left out: we read ten files of an email.`;
    case 'locked':
      return t`The file ${name} is locked with a password.`;
  }
}
