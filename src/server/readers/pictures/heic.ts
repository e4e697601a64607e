import type { Channel } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
import { PictureRefusal } from './pictures.ts';

const { default: openLibrary } = await import('libheif-js/libheif-wasm/libheif-bundle.mjs');

/** Decoded pixels, four bytes each. */
interface HeicPixels {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Decodes the main picture of a HEIC file, turned upright. Its size is known before it is decoded. Each file gets an
 * instance of its own, which is dropped with all its memory.
 * @throws PictureRefusal
 */
export function decodeHeic(file: Uint8Array, maxPixels: number): HeicPixels {
  try {
    return decode(file, maxPixels);
  } catch (error) {
    // Also when it needs more memory than it may have.
    throw error instanceof PictureRefusal ? error : new PictureRefusal('broken');
  }
}

function decode(file: Uint8Array, maxPixels: number): HeicPixels {
  // We do not need its messages about broken files.
  const heif = openLibrary({ print: () => undefined, printErr: () => undefined });
  const context = heif.heif_context_alloc();
  const read = heif.heif_context_read_from_memory(context, file);
  if (read.code !== heif.heif_error_code.heif_error_Ok) throw new PictureRefusal('broken');
  const handle = heif.heif_js_context_get_primary_image_handle(context);
  if ('code' in handle) throw new PictureRefusal('broken');
  const [width, height] = [
    heif.heif_image_handle_get_width(handle),
    heif.heif_image_handle_get_height(handle),
  ];
  if (width * height > maxPixels) throw new PictureRefusal('too_many_pixels');
  const { heif_colorspace_RGB: colours } = heif.heif_colorspace;
  const { heif_chroma_interleaved_RGBA: layout } = heif.heif_chroma;
  const decoded = heif.heif_js_decode_image2(handle, colours, layout);
  const [channel] = 'channels' in decoded ? decoded.channels : [];
  if (!channel) throw new PictureRefusal('broken');
  return { data: withoutPadding(channel), width: channel.width, height: channel.height };
}

function withoutPadding({ data, width, height, stride }: Channel): Buffer {
  const row = width * 4;
  if (stride === row) return Buffer.from(data);
  const packed = Buffer.alloc(row * height);
  for (let y = 0; y < height; y += 1) packed.set(data.subarray(y * stride, y * stride + row), y * row);
  return packed;
}
