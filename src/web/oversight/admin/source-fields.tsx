import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, JsonInput, NativeSelect, PasswordInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { type ReactNode, useEffect, useRef } from 'react';
import { z } from 'zod';
import { CURRENCIES } from '#contract/base/money.ts';
import { KEY_PLACE } from '#contract/oversight/sources.ts';

interface FieldProps {
  readonly input: GetInputPropsReturnType;
}

/** A text of which an empty one is none. */
export const emptyAsNull = z.string().transform((text) => text.trim() || null);

/** A key that was typed: an empty one keeps the one before. */
export const typedKey = z.string().transform((text) => text.trim() || undefined);

/** What few sources need, typed as JSON. */
export const typedMore = z.string().transform((text, issues) => {
  try {
    const more: unknown = JSON.parse(text.trim() || '{}');
    return z.record(z.string(), z.json()).parse(more);
  } catch {
    issues.addIssue({
      code: 'custom',
      message: t`This is not a JSON object, such as ${{ example: '{"method": "POST"}' }}`,
    });
    return z.NEVER;
  }
});

/** As it is typed. */
export const moreText = (more: object) =>
  Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2);

interface KeyFieldProps extends FieldProps {
  readonly isSet: boolean;
  /** Whether the provider has a place of its own for it. */
  readonly hasOwnPlace?: boolean;
}

export function KeyField({ input, isSet, hasOwnPlace = false }: KeyFieldProps) {
  const place = KEY_PLACE;
  return (
    <PasswordInput
      label={t`Key`}
      description={
        hasOwnPlace
          ? t`We keep it encrypted and show it to nobody.`
          : t`We keep it encrypted and show it to nobody. It goes where you write ${place}; without such a place we send it as a bearer token.`
      }
      placeholder={isSet ? t`It is set. Leave this empty to keep it.` : ''}
      autoComplete="off"
      visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the key` }}
      {...input}
    />
  );
}

export function CurrencyField({ input }: FieldProps) {
  return (
    <NativeSelect
      label={t`Currency`}
      description={t`For amounts without a currency`}
      data={[{ value: '', label: t`Not set` }, ...CURRENCIES]}
      {...input}
    />
  );
}

/** What few sources need, folded unless something is set or wrong there. */
export function MoreField({ input, description }: FieldProps & { readonly description: string }) {
  return (
    <details open={input.value !== '' || input.error !== undefined}>
      <summary className="target">
        <Trans>Advanced</Trans>
      </summary>
      <JsonInput
        label={t`More settings`}
        description={description}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        {...input}
      />
    </details>
  );
}

interface TrialProps {
  readonly onTry: () => void;
  readonly isPending: boolean;
  /** What was found; nothing before the first try. */
  readonly found: { readonly isGood: boolean; readonly title: string; readonly content: ReactNode } | null;
}

/** Tries what is typed, and stores nothing. */
export function Trial({ onTry, isPending, found }: TrialProps) {
  const end = useRef<HTMLDivElement>(null);
  // It may be below what is seen of the dialog.
  const isShown = found !== null && !isPending;
  useEffect(() => {
    if (isShown) end.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <div>
      <Button variant="default" onClick={onTry} loading={isPending}>
        <Trans>Try it</Trans>
      </Button>
      <div role="status" ref={end}>
        {isShown && (
          <Alert mt="sm" variant="light" color={found.isGood ? 'green' : 'yellow'} title={found.title}>
            {found.content}
          </Alert>
        )}
      </div>
    </div>
  );
}
