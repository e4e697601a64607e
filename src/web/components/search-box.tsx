import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

const SEARCH_DELAY_MS = 300;

interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** The search of the list on screen. */
  readonly value: string;
  readonly onSearch: (search: string) => void;
  readonly className?: string | undefined;
}

/** A search field that searches while the user types, after a short pause. */
export function SearchBox({ label, placeholder, maxLength, value, onSearch, className }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((search: string) => {
    sent.current = search;
    onSearch(search);
  }, SEARCH_DELAY_MS);
  useEffect(() => {
    // The address was changed elsewhere: by Back, or by a link.
    if (value !== sent.current) {
      sent.current = value;
      setText(value);
    }
  }, [value]);
  return (
    <TextInput
      className={className}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={18} aria-hidden="true" />}
      maxLength={maxLength}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        send(event.currentTarget.value.trim());
      }}
    />
  );
}
