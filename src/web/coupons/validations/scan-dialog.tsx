import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, CloseButton, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#web/components/dialog.tsx';
import { PlainList } from '#web/components/plain-list.tsx';
import type { SeenCode } from '#web/coupons/core/code-reader.ts';
import { mayDiscard } from '#web/coupons/form/unsaved-guard.tsx';
import { countSightings } from './sightings.ts';
import classes from './validate.module.css';
import { Viewfinder } from './viewfinder.tsx';
import { formatName } from './wording.ts';

interface ScanDialogProps {
  /** Gets the codes in the order in which they were read, at least one. The camera is already off. */
  readonly onDone: (codes: readonly SeenCode[]) => void;
  readonly onClose: () => void;
}

/** Reads one code after the other with the camera, until somebody has enough. The pictures are neither stored nor sent. */
export function Component({ onDone, onClose }: ScanDialogProps) {
  const [look] = useState(countSightings);
  const [codes, setCodes] = useState<readonly SeenCode[]>([]);
  const [taken, setTaken] = useState(0);
  const take = (found: readonly SeenCode[]) => {
    const fresh = look(found);
    if (fresh.length > 0) {
      setCodes((before) => [...before, ...fresh]);
      setTaken((count) => count + fresh.length);
    }
    return true;
  };
  const remove = (code: SeenCode) => setCodes((before) => before.filter((each) => each !== code));
  const done = () => {
    onClose();
    onDone(codes);
  };
  const count = codes.length;
  const close = async () => {
    const text = plural(count, {
      one: '# code is not in a coupon yet.',
      other: '# codes are not in coupons yet.',
    });
    if (count === 0 || (await mayDiscard(text, t`Discard the scanned codes?`))) onClose();
  };
  return (
    <Dialog title={t`Scan codes`} size="lg" onClose={close}>
      <Viewfinder
        onRead={take}
        taken={taken}
        status={
          count === 0
            ? t`Hold one or more codes in front of the camera. It stays on until you are done; the pictures stay on your device.`
            : plural(count, { one: '# code scanned.', other: '# codes scanned.' })
        }
        buttons={
          <Button disabled={count === 0} onClick={done}>
            <Trans>Done</Trans>
          </Button>
        }
      >
        <PlainList className={classes.scanned} aria-label={t`Scanned codes`}>
          {codes.toReversed().map((code) => (
            <li key={code.text} className={classes.scan}>
              <Text size="sm" miw={0}>
                <span className={classes.code} translate="no">
                  {code.text}
                </span>{' '}
                ({formatName(code.format)})
              </Text>
              <CloseButton
                size={44}
                iconSize={18}
                aria-label={t`Remove ${code.text}`}
                onClick={() => remove(code)}
              />
            </li>
          ))}
        </PlainList>
      </Viewfinder>
    </Dialog>
  );
}
