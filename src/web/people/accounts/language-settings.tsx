import { t } from '@lingui/core/macro';
import { SegmentedControl } from '@mantine/core';
import { LANGUAGE_CODES, LANGUAGE_NAMES, language, pathIn, toLanguage } from '#contract/base/i18n.ts';
import { paths } from '#contract/base/pages.ts';
import { useLanguageChoice } from './viewer-queries.ts';

/** The choice of the language. The page is loaded anew in it. */
export function LanguageSettings() {
  const choose = useLanguageChoice();
  return (
    <SegmentedControl
      aria-label={t`Language`}
      value={language()}
      data={LANGUAGE_CODES.map((value) => ({
        value,
        label: <span lang={value}>{LANGUAGE_NAMES[value]}</span>,
      }))}
      onChange={async (value) => {
        const chosen = toLanguage(value);
        await choose(chosen);
        window.location.assign(pathIn(chosen, paths.settings('language')));
      }}
    />
  );
}
