import type { Config } from '#server/process/config.ts'
import { type KeyRing, type KeyRingRead, readKeyRing } from '#server/vault/key-ring.ts'

export async function configuredRing(config: Config): Promise<KeyRing> {
  return (await readConfiguredRing(config)).ring
}

/** As the service reads it, but never made: a key file that is missing beside data must be put back. */
export function readConfiguredRing({ keys, keyFile }: Config): Promise<KeyRingRead> {
  return readKeyRing({ ...(keys === null ? { file: keyFile ?? '' } : { text: keys }), create: false })
}
