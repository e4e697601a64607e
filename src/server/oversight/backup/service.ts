export { backUp } from './backup.ts';
export { restore } from './restore.ts';
export { rotateKeys } from './rotation.ts';
