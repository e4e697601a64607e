import { t } from '@lingui/core/macro';
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { SEARCH_MAX } from '#contract/base/bounds.ts';
import { useDraft } from '#web/lib/use-draft.ts';
import { lazyWithPreload } from './on-demand.tsx';

const Suggestions = lazyWithPreload(async () => (await import('./search-suggestions.tsx')).SearchSuggestions);

interface SearchBoxProps {
  readonly label: string;
  /** By default the label. */
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** The search of the list on screen. */
  readonly value: string;
  /** `replace`: it continues the search before, so that Back skips the steps in between. */
  readonly onSearch: (search: string, options: { replace: boolean }) => void;
  readonly className?: string | undefined;
  /** Whether a button empties it. */
  readonly isClearable?: boolean;
  /** Whether it offers merchants and earlier searches. */
  readonly hasSuggestions?: boolean;
  /** Shown below the field for what is typed. */
  readonly hint?: (typed: string) => string | undefined;
}

/** A search field. It searches when the typing pauses. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder = t`${label}...`, maxLength = SEARCH_MAX, value, className } = props;
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const [isUsed, setIsUsed] = useState(false);
  const isOffering = props.hasSuggestions && isUsed;
  const { draft, type, clear, commitNow, onBlur } = useDraft({
    value,
    normalise: (text) => text.trim(),
    onCommit: props.onSearch,
  });
  return (
    <>
      <TextInput
        list={isOffering ? listId : undefined}
        onFocus={() => setIsUsed(true)}
        ref={input}
        className={className}
        type="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        value={draft}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // It must not submit a form around the field.
          event.preventDefault();
          commitNow();
        }}
        onBlur={onBlur}
        inputWrapperOrder={['label', 'input', 'description']}
        description={props.hint?.(draft.trim())}
        rightSection={
          props.isClearable &&
          draft !== '' && (
            <CloseButton
              aria-label={t`Clear search`}
              onClick={() => {
                clear();
                input.current?.focus();
              }}
            />
          )
        }
      />
      {isOffering && <Suggestions id={listId} typed={value} />}
    </>
  );
}
