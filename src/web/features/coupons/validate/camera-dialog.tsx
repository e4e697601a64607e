import { Alert, Button, Loader, Stack, Text } from '@mantine/core';
import { IconCameraOff } from '@tabler/icons-react';
import { use, useRef, useState } from 'react';
import { Dialog, DialogFooter } from '#web/components/dialog.tsx';
import type { SeenCode } from '#web/lib/code-reader.ts';
import { DialogPlace } from '#web/lib/open-dialog.ts';
import { type CameraState, useCamera } from './use-camera.ts';
import classes from './validate.module.css';

interface CameraDialogProps {
  /** The camera is already off when this is called. */
  readonly onRead: (codes: readonly SeenCode[]) => void;
  readonly onClose: () => void;
}

const PROBLEMS: Partial<Record<CameraState, { title: string; text: string }>> = {
  paused: { title: 'The camera is off', text: 'We turned it off because this page was hidden.' },
  denied: {
    title: 'The camera is not allowed',
    text: 'Allow this site to use the camera in your browser’s settings, then try again. Or upload a picture instead.',
  },
  missing: {
    title: 'No camera was found',
    text: 'Connect one and try again, or upload a picture instead.',
  },
  busy: {
    title: 'The camera is in use',
    text: 'Another app is using it. Close it and try again, or upload a picture instead.',
  },
  broken: {
    title: 'The camera could not be started',
    text: 'Try again, or upload a picture instead.',
  },
};

/** Reads a code with the camera. The picture is neither stored nor sent. */
export function Component({ onRead, onClose }: CameraDialogProps) {
  const take = (codes: readonly SeenCode[]) => {
    onClose();
    onRead(codes);
  };
  return (
    <Dialog title="Scan with camera" size="lg">
      <Viewfinder onRead={take} />
    </Dialog>
  );
}

function Viewfinder({ onRead }: Pick<CameraDialogProps, 'onRead'>) {
  // The camera is off as soon as the dialog closes, before it has faded out.
  const { isOpen: isOn } = use(DialogPlace);
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const state = useCamera(video, { isOn, attempt, onRead });
  const problem = PROBLEMS[state];
  return (
    <Stack>
      <div className={classes.frame} hidden={problem !== undefined}>
        <video ref={video} className={classes.video} muted playsInline aria-label="What the camera sees" />
        {state === 'looking' ? <div className={classes.target} /> : <Loader className={classes.loader} />}
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
              ? 'Starting the camera… Your browser may ask for your permission.'
              : 'Hold the code inside the frame. We read it automatically; the picture stays on your device.'}
          </Text>
        )}
      </div>
      <DialogFooter>
        {problem && <Button onClick={() => setAttempt((count) => count + 1)}>Try again</Button>}
      </DialogFooter>
    </Stack>
  );
}
