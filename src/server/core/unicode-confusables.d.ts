/** The package has its types under a name that TypeScript does not look for. */
declare module 'unicode-confusables' {
  /** Replaces each character by what `confusables.txt` of Unicode TR 39 says it looks like. */
  export function rectifyConfusion(text: string): string;
}
