/** What we use of libheif; its package has no types for this build. */
declare module 'libheif-js/libheif-wasm/libheif-bundle.mjs' {
  /** A pointer into an instance. */
  type Pointer = { readonly __pointer: unique symbol };
  /** Instead of a result, where something went wrong. */
  interface Failure {
    readonly code: unknown;
  }
  export interface Channel {
    readonly id: unknown;
    readonly width: number;
    readonly height: number;
    /** Bytes of a row. */
    readonly stride: number;
    readonly data: Uint8Array;
  }

  export interface LibHeif {
    heif_context_alloc(): Pointer;
    heif_context_read_from_memory(context: Pointer, file: Uint8Array): Failure;
    heif_js_context_get_primary_image_handle(context: Pointer): Pointer | Failure;
    heif_image_handle_get_width(handle: Pointer): number;
    heif_image_handle_get_height(handle: Pointer): number;
    heif_js_decode_image2(
      handle: Pointer,
      colours: unknown,
      layout: unknown,
    ): { readonly channels: readonly Channel[] } | Failure;
    readonly heif_error_code: { readonly heif_error_Ok: unknown };
    readonly heif_colorspace: { readonly heif_colorspace_RGB: unknown };
    readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: unknown };
  }

  export default function open(options: { print(): void; printErr(): void }): LibHeif;
}
