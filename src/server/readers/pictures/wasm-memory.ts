const PAGE_BYTES = 65_536;

/**
 * Limits the memory of every WebAssembly instance in this process, which the limit of its heap does not count. A decoder
 * that asks for more is told that there is none, and ends in an error.
 */
export function limitWasmMemory(bytes: number): void {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function limited(pages) {
    if (this.buffer.byteLength + pages * PAGE_BYTES > bytes) throw new RangeError('Too much memory');
    return grow.call(this, pages);
  };
}
