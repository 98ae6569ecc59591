/** A change of source text that is made while a process loads it. The file stays as it is; `patch-hook.ts` does the work. */
export interface Patch {
  /** From the top of the repository. */
  readonly file: string
  /** Must be there exactly once: otherwise the process stops, since the fault would be planted in vain. */
  readonly find: string
  /** Where it stands, for a text that may be there more often. */
  readonly at?: number
  readonly replace: string
}

const hook = new URL('./patch-hook.ts', import.meta.url).href

/** The flag that makes a process load the patched text. */
export const patchFlag = (patches: readonly Patch[]): string =>
  `--import=${hook}?patches=${Buffer.from(JSON.stringify(patches)).toString('base64url')}`

/** The patches of this process, as flags for those that it starts. */
export const inheritedPatches = (): readonly string[] =>
  process.execArgv.filter((flag) => flag.startsWith(`--import=${hook}`))
