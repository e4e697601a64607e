import { VisuallyHidden } from '@mantine/core';
import { useNavigation } from 'react-router-dom';
import classes from './shell.module.css';

/** Says that a link was taken while the page behind it is still coming. */
export function NavigationProgress() {
  const isComing = useNavigation().state !== 'idle';
  return (
    <div aria-live="polite">
      {isComing && (
        <>
          <div className={classes.progress} aria-hidden="true" />
          <VisuallyHidden>Loading the page</VisuallyHidden>
        </>
      )}
    </div>
  );
}
