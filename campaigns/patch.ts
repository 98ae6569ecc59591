/** A change of source text while a process loads it. The file is unchanged; `patch-hook.ts` does the work. */
export interface Patch {
  /** From the top of the repository. */
  readonly file: string
  /** Must occur exactly once: otherwise the process stops, because the fault would not be planted. */
  readonly find: string
  /** Its offset, for a text that may occur more often. */
  readonly at?: number
  readonly replace: string
}

const hook = new URL('./patch-hook.ts', import.meta.url).href

/** The flag that makes a process load the patched text. */
export const patchFlag = (patches: readonly Patch[]): string =>
  `--import=${hook}?patches=${Buffer.from(JSON.stringify(patches)).toString('base64url')}`

/** The patches of this process, as flags for its child processes. */
export const inheritedPatches = (): readonly string[] =>
  process.execArgv.filter((flag) => flag.startsWith(`--import=${hook}`))

export function applyPatch(source: string, { file, find, replace, at }: Patch): string {
  if (at !== undefined) {
    if (!source.startsWith(find, at)) throw new Error(`${file} does not have at ${at}: ${find}`)
    return source.slice(0, at) + replace + source.slice(at + find.length)
  }
  const parts = source.split(find)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times, not once: ${find}`)
  return parts.join(replace)
}
