/** Why a file cannot be read, in words for users. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}
