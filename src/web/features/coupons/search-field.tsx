import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { FULL_SEARCH_MIN, SHORT_SEARCH_REACH } from '#contract/coupons.ts';
import { SEARCH_MAX } from '#contract/primitives.ts';
import type { ChangeFilters } from './filters.ts';
import { useDraft } from './use-draft.ts';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: ChangeFilters;
  /** Whether short terms reach less far, which is then said. */
  readonly isShortLimited?: boolean;
}

const SHORT_HINT = `One or two letters look through the newest ${SHORT_SEARCH_REACH.toLocaleString('en')} coupons only.`;

/** A search box that searches when the typing pauses. */
export function SearchField({ label, value, onChange, isShortLimited }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const field = useDraft({
    value,
    normalise: (text) => text.trim(),
    onCommit: (search, options) => onChange({ search }, options),
  });
  const length = field.draft.trim().length;
  const isShort = isShortLimited && length > 0 && length < FULL_SEARCH_MIN;
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label={label}
      placeholder={`${label}...`}
      maxLength={SEARCH_MAX}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      value={field.draft}
      onChange={(event) => field.type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && field.commitNow()}
      onBlur={field.leave}
      inputWrapperOrder={['label', 'input', 'description']}
      description={isShort ? `${SHORT_HINT} Type ${FULL_SEARCH_MIN} or more to search them all.` : undefined}
      rightSection={
        field.draft !== '' && (
          <CloseButton
            aria-label="Clear search"
            onClick={() => {
              field.clear();
              input.current?.focus();
            }}
          />
        )
      }
    />
  );
}
