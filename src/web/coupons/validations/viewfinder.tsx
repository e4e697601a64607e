import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { IconBulb, IconBulbOff, IconCameraOff } from '@tabler/icons-react';
import { type ReactNode, use, useRef, useState } from 'react';
import { DialogFooter } from '#web/components/dialog.tsx';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { type CameraState, type OnRead, useCamera } from './use-camera.ts';
import classes from './validate.module.css';

const PROBLEMS: Partial<Record<CameraState, { title: string; text: string }>> = {
  paused: { title: t`The camera is off`, text: t`We turned it off because this page was hidden.` },
  denied: {
    title: t`The camera is not allowed`,
    text: t`Allow this site to use the camera in your browser’s settings, then try again. Or upload a picture instead.`,
  },
  missing: {
    title: t`No camera was found`,
    text: t`Connect one and try again, or upload a picture instead.`,
  },
  busy: {
    title: t`The camera is in use`,
    text: t`Another app is using it. Close it and try again, or upload a picture instead.`,
  },
  broken: {
    title: t`The camera could not be started`,
    text: t`Try again, or upload a picture instead.`,
  },
};

interface ViewfinderProps {
  readonly onRead: OnRead;
  /** What to do while the camera looks, or what it has read. */
  readonly status: ReactNode;
  /** How often something was taken: the frame flashes each time. */
  readonly taken?: number;
  /** Between the picture and the buttons. */
  readonly children?: ReactNode;
  /** More buttons. */
  readonly buttons?: ReactNode;
}

/** What the camera sees, its light, and why there is nothing to see; with the buttons of its dialog. */
export function Viewfinder({ onRead, status, taken = 0, children, buttons }: ViewfinderProps) {
  // The camera is off as soon as the dialog closes, before it has faded out.
  const { isOpen: isOn } = use(DialogPlace);
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const { state, torch } = useCamera(video, { isOn, attempt, onRead });
  const problem = PROBLEMS[state];
  const Bulb = torch?.isOn ? IconBulbOff : IconBulb;
  return (
    <Stack>
      <div className={classes.frame} hidden={problem !== undefined}>
        <video ref={video} className={classes.video} muted playsInline aria-label={t`What the camera sees`} />
        {state === 'looking' ? <div className={classes.target} /> : <Loader className={classes.loader} />}
        {taken > 0 && <div key={taken} className={classes.flash} />}
        {torch && !problem && (
          <Button
            className={classes.torch}
            variant="default"
            leftSection={<Bulb size={18} aria-hidden="true" />}
            onClick={torch.toggle}
          >
            {torch.isOn ? <Trans>Turn the light off</Trans> : <Trans>Turn the light on</Trans>}
          </Button>
        )}
      </div>
      <div role="status">
        {problem ? (
          <Alert
            color="yellow"
            title={problem.title}
            icon={<IconCameraOff aria-hidden="true" />}
            role="presentation"
          >
            {problem.text}
          </Alert>
        ) : (
          <Text size="sm">
            {state === 'starting'
              ? t`Starting the camera… Your browser may ask for your permission.`
              : status}
          </Text>
        )}
      </div>
      {children}
      <DialogFooter>
        {problem && (
          <Button variant={buttons ? 'default' : 'filled'} onClick={() => setAttempt((count) => count + 1)}>
            <Trans>Try again</Trans>
          </Button>
        )}
        {buttons}
      </DialogFooter>
    </Stack>
  );
}
