/** A control group of Linux with a memory limit, as a container has one. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Where groups are made, and the names of their files: the first version has a tree for memory alone. */
const versions = [
  {
    parent: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swap: null,
    kills: 'memory.oom_control',
    isUsable: async () => existsSync('/sys/fs/cgroup/memory/memory.limit_in_bytes'),
  },
  {
    parent: '/sys/fs/cgroup',
    limit: 'memory.max',
    swap: 'memory.swap.max',
    kills: 'memory.events',
    isUsable: async () =>
      /\bmemory\b/.test(await readFile('/sys/fs/cgroup/cgroup.subtree_control', 'utf8').catch(() => '')),
  },
] as const

/** Why no group can be made here, as a sentence; null if one can. */
export async function controlGroupFault(): Promise<string | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'A control group needs root on Linux.'
  return (await usableVersion()) ? null : 'This machine has no control groups for memory.'
}

export class ControlGroup {
  readonly folder: string
  readonly #killsFile: string

  private constructor(folder: string, killsFile: string) {
    this.folder = folder
    this.#killsFile = killsFile
  }

  static async make(name: string, megabytes: number): Promise<ControlGroup> {
    const version = await usableVersion()
    if (!version) throw new Error((await controlGroupFault()) ?? '')
    const folder = join(version.parent, name)
    await mkdir(folder)
    await writeFile(join(folder, version.limit), String(megabytes * 2 ** 20))
    // With swap the limit would not be reached, and the kernel would kill nothing.
    if (version.swap !== null) await writeFile(join(folder, version.swap), '0')
    return new ControlGroup(folder, join(folder, version.kills))
  }

  /** How many of its processes the kernel has killed at the limit. */
  async kills(): Promise<number> {
    return Number(/^oom_kill (\d+)$/m.exec(await readFile(this.#killsFile, 'utf8'))?.[1] ?? 0)
  }

  /** A process that has just ended is still in its group for a moment. */
  async remove(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await rmdir(this.folder)
      } catch (error) {
        if (tries === removeTries) throw error
        await sleep(removePauseMs)
      }
    }
  }
}

const removeTries = 50
const removePauseMs = 100

async function usableVersion(): Promise<(typeof versions)[number] | null> {
  for (const version of versions) if (await version.isUsable()) return version
  return null
}
