/** What we use of Tesseract's WebAssembly; its package has no types. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
    /** @returns 0, or another number where the languages cannot be read */
    Init(dataPath: null, languages: string, engine: number): number;
    SetVariable(name: string, value: string): boolean;
    /** Opens the picture in the file `/input`. @returns 0, or another number where it cannot be read */
    SetImageFile(orientation: number, angle: number): number;
    Recognize(monitor: null): number;
    /** A line for each block, paragraph, line and word, with tabs between its columns. */
    GetTSVText(page: number): string;
    Clear(): void;
  }

  export interface Tesseract {
    readonly FS: { writeFile(path: string, bytes: Uint8Array): void };
    readonly TessBaseAPI: new () => TessBaseAPI;
  }

  export default function open(options: { print(): void; printErr(): void }): Promise<Tesseract>;
}
