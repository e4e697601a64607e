import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { type CSSProperties, Fragment, useState } from 'react';
import { TEXTS } from '#contract/base/texts.ts';
import type { RevealedCode } from '#contract/coupons/coupons.ts';
import type { ImageKind } from '#contract/coupons/images.ts';
import { CopyButton } from '#web/components/copy-button.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import { UserAvatar } from '#web/components/user-avatar.tsx';
import { formatDateTime } from '#web/lib/format.ts';
import classes from './redeem-dialog.module.css';

interface CodePictureProps {
  readonly kind: ImageKind;
  /** Undefined until the code is revealed. */
  readonly src: string | undefined;
  readonly alt: string;
  /** Shown when the picture does not load. */
  readonly missing: string;
  readonly hint: string;
}

/** A code as a picture, dark on white in both themes: scanners need that. Its place is reserved while it loads. */
export function CodePicture({ kind, src, alt, missing, hint }: CodePictureProps) {
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading');
  return (
    <Stack gap={12} miw={0}>
      <div className={classes.picture} data-kind={kind} aria-busy={state === 'loading' || undefined}>
        {state === 'loading' && <Skeleton className={classes.waiting} radius="md" />}
        {src !== undefined && state !== 'failed' && (
          <img
            src={src}
            alt={alt}
            data-loaded={state === 'loaded' || undefined}
            onLoad={() => setState('loaded')}
            onError={() => setState('failed')}
          />
        )}
        {state === 'failed' && (
          <Stack align="center" gap={8} c="gray.7" fw={600} ta="center" role="alert">
            <IconPhotoOff size={32} aria-hidden="true" />
            {missing}
          </Stack>
        )}
      </div>
      <Text className={classes.hint}>{hint}</Text>
      <Text className={`${classes.hint} ${classes.brightness}`} size="sm">
        <Trans>Turn your screen’s brightness up if the scanner cannot read it.</Trans>
      </Text>
    </Stack>
  );
}

/** How many characters of a code fit beside each other; a longer one has several lines. */
const LINE_LENGTH = 12;

/** The pieces between which a code may break: after a separator, and where there is none for long in groups of four. */
function groupsOf(code: string): readonly string[] {
  const parts = code.split(/(?<=[^\p{L}\p{N}])/u);
  return parts.flatMap((part) => (part.length > LINE_LENGTH ? (part.match(/.{1,4}/gsu) ?? []) : part));
}

/** A code as large text, to read out or to copy, as wide as there is room. `code` is null while it loads. */
export function CodeText({ code }: { code: string | null }) {
  return (
    <Stack gap={12} miw={0}>
      {code === null ? (
        <div className={classes.code} aria-busy="true">
          <Skeleton component="span" display="block" height="1.5em" width="60%" mx="auto" />
        </div>
      ) : (
        <output
          className={classes.code}
          style={{ '--line-length': Math.min(code.length, LINE_LENGTH) } as CSSProperties}
          aria-label={t`Coupon code`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the code can be selected and read out by keyboard
          tabIndex={0}
          translate="no"
        >
          {groupsOf(code).map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups never change, and two may be equal
            <Fragment key={place}>
              {group}
              <wbr />
            </Fragment>
          ))}
        </output>
      )}
      <Text className={classes.hint}>{TEXTS.redeem.codeHint()}</Text>
      <CopyButton
        text={code}
        done={[TEXTS.coupons.codeCopied(), TEXTS.coupons.codeCopiedText()]}
        failed={[t`Code not copied`, t`Select the code and copy it by hand.`]}
        fullWidth
      >
        <Trans>Copy Code</Trans>
      </CopyButton>
    </Stack>
  );
}

/** The PIN that the shop asks for beside the code, below every form of it. */
export function PinText({ pin }: { pin: string }) {
  return (
    <Text ta="center" mt="md">
      <Trans>PIN</Trans>{' '}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the PIN can be selected and read out by keyboard */}
      <output className={classes.pin} aria-label={t`PIN`} tabIndex={0} translate="no">
        {pin}
      </output>
    </Text>
  );
}

type Reveals = RevealedCode['reveals'];

function whenSeen({
  keyName,
  revealedAt,
  reportedAt,
}: Pick<Reveals[number], 'keyName' | 'revealedAt' | 'reportedAt'>): string {
  const when = formatDateTime(revealedAt);
  if (keyName !== null) return t`${when}, by a program with the key “${keyName}”`;
  return reportedAt === null ? when : t`${when}, without a network`;
}

/** Who has revealed a code last, and when. `reveals` is undefined while it loads. */
export function RevealList({ reveals }: { reveals: Reveals | undefined }) {
  return (
    <div>
      <Title order={3} size="h5" mb={8}>
        <Trans>Who has seen this code</Trans>
      </Title>
      {reveals ? (
        <PlainList>
          {reveals.map(({ username, profileImageUrl, keyName, revealedAt, reportedAt }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two reveals may be equal
            <li key={index} className={classes.reveal}>
              <UserAvatar username={username} profileImageUrl={profileImageUrl} size={28} />
              <Text span fw={600} fz="inherit" miw={0} style={{ overflowWrap: 'anywhere' }}>
                {username}
              </Text>
              <time dateTime={revealedAt} className={classes.when}>
                {whenSeen({ keyName, revealedAt, reportedAt })}
              </time>
            </li>
          ))}
        </PlainList>
      ) : (
        <Skeleton height={44} aria-busy="true" />
      )}
    </div>
  );
}
