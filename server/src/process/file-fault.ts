import { errorCode } from '#domain/error-code.ts'

/** Why the system refused a file, in words: its own message repeats the path and names the call. */
export function fileFault(error: unknown): string {
  const code = errorCode(error) || 'an unknown error'
  return sentences[code] ?? `The system answered ${code}.`
}

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'It does not exist.',
  ENOTDIR: 'A part of its path is not a folder.',
  EISDIR: 'It is a folder.',
  EEXIST: 'It is not a folder.',
  EACCES: 'This user has no permission.',
  EPERM: 'This user has no permission.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'The disk is full.',
}
