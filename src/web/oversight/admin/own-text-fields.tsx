import { t } from '@lingui/core/macro';
import { Textarea, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { z } from 'zod';
import type { Language } from '#contract/base/i18n.ts';
import { ANNOUNCEMENT_MAX, type OwnText } from '#contract/people/settings.ts';

/** What is typed, as `textAndEndSchema` takes it. */
type TypedText = Readonly<Record<Language | 'until', string>>;

/** A text of the operator's in each language, and when it ends, in local time. */
export const textAndEndSchema = z
  .object({
    en: z.string().trim().min(1, t`Write a text in English`).max(ANNOUNCEMENT_MAX),
    fr: z.string().trim().max(ANNOUNCEMENT_MAX),
    until: z
      .string()
      .refine((typed) => typed === '' || new Date(typed) > new Date(), t`Choose a time in the future`),
  })
  .transform(({ en, fr, until }): { text: OwnText; until: string | null } => ({
    text: fr === '' ? { en } : { en, fr },
    until: until === '' ? null : new Date(until).toISOString(),
  }));

/** What a form begins with. */
export function typedText(
  value: { readonly text: OwnText; readonly until: string | null } | null,
): TypedText {
  return { en: value?.text.en ?? '', fr: value?.text.fr ?? '', until: localTime(value?.until ?? null) };
}

/** As a field for date and time writes it. */
function localTime(instant: string | null): string {
  if (instant === null) return '';
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

interface FieldsProps {
  readonly endLabel: string;
  readonly endHint: string;
  readonly inputOf: (name: keyof TypedText) => GetInputPropsReturnType;
}

export function OwnTextFields({ endLabel, endHint, inputOf }: FieldsProps) {
  const text = { maxLength: ANNOUNCEMENT_MAX, rows: 3 };
  return (
    <>
      <Textarea
        label={t`Text in English`}
        description={t`Plain text, shown at the top of every page.`}
        withAsterisk
        data-autofocus
        lang="en"
        {...text}
        {...inputOf('en')}
      />
      <Textarea
        label={t`Text in French`}
        description={t`Leave empty to show the English text.`}
        lang="fr"
        {...text}
        {...inputOf('fr')}
      />
      <TextInput type="datetime-local" label={endLabel} description={endHint} {...inputOf('until')} />
    </>
  );
}
