import { t } from '@lingui/core/macro';
import { Dialog } from '#web/components/dialog.tsx';
import type { SeenCode } from '#web/coupons/core/code-reader.ts';
import { Viewfinder } from './viewfinder.tsx';

interface CameraDialogProps {
  /** The camera is already off when this is called. */
  readonly onRead: (codes: readonly SeenCode[]) => void;
  readonly onClose: () => void;
}

/** Reads a code with the camera. The picture is neither stored nor sent. */
export function Component({ onRead, onClose }: CameraDialogProps) {
  const take = (codes: readonly SeenCode[]) => {
    onClose();
    onRead(codes);
    return false;
  };
  return (
    <Dialog title={t`Scan with camera`} size="lg">
      <Viewfinder
        onRead={take}
        status={t`Hold the code inside the frame. We read it automatically; the picture stays on your device.`}
      />
    </Dialog>
  );
}
