import type { CSSProperties } from 'react';
import { PICTURE_FORMATS, pictureSources } from '#contract/people/picture-addresses.ts';

interface PublicPictureProps {
  readonly url: string;
  /** '' where the text beside it says the same. */
  readonly alt: string;
  /** The width on screen, for the browser's choice of a file, like '96px'. */
  readonly sizes: string;
  readonly className?: string;
  /** Whether it is loaded at once and before others, and not only when it comes near the screen. */
  readonly isFirst?: boolean;
}

/**
 * A public picture in the size that the screen needs. Its room is reserved before it has come, if the class gives it a
 * width: `--picture-width` and `--picture-ratio` are the picture's own.
 */
export function PublicPicture({ url, alt, sizes, className, isFirst = false }: PublicPictureProps) {
  const sources = pictureSources(url);
  if (!sources) return null;
  const { width, height, srcSets } = sources;
  return (
    <picture>
      {PICTURE_FORMATS.map((format) => (
        <source key={format} type={`image/${format}`} srcSet={srcSets[format]} sizes={sizes} />
      ))}
      <img
        className={className}
        src={url}
        alt={alt}
        width={width}
        height={height}
        loading={isFirst ? 'eager' : 'lazy'}
        fetchPriority={isFirst ? 'high' : 'auto'}
        decoding="async"
        style={{ '--picture-width': `${width}px`, '--picture-ratio': width / height } as CSSProperties}
      />
    </picture>
  );
}
