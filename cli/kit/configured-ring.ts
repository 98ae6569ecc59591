import type { Config } from '#server/process/config.ts'
import { type KeyRing, type KeyRingRead, keySource, readKeyRing } from '#server/vault/key-ring.ts'

export async function readRing(config: Config): Promise<KeyRing> {
  return (await readConfiguredRing(config)).ring
}

/** Reads the keys as the service does but never creates a key file: one that is missing beside data must be restored. */
export function readConfiguredRing(config: Config): Promise<KeyRingRead> {
  return readKeyRing({ ...keySource(config), create: false })
}
