/** At which steps of a payment the helper process of the family `prism` dies, and the file by which the campaign tells its hook. */
import { join } from 'node:path'
import { z } from 'zod'

// biome-ignore format: a table is read in columns.
export const helperPoints = [
  // The helper dies …
  'asked',     // … before it is told to build the request
  'building',  // … when it has been told
  'built',     // … as its request arrives at the gateway, which has sent nothing yet
  'sent',      // … when the request has left for the acquirer
  'answered',  // … as the acquirer's answer begins to arrive
  'reading',   // … when it has been told to read the answer
  'read',      // … as what it read arrives at the gateway
] as const
export type HelperPoint = (typeof helperPoints)[number]

export const helperOrderSchema = z.object({
  /** Another one for each command, so that a helper is killed `once` per command. */
  id: z.string(),
  point: z.enum(helperPoints),
  times: z.enum(['once', 'always']),
})
export type HelperOrder = z.infer<typeof helperOrderSchema>

/** The campaign's order to the hook; without the file no helper is killed. */
export const orderFile = (folder: string): string => join(folder, 'helper-order.json')

/** Where the hook writes a line for each start and each kill of a helper. */
export const recordFile = (folder: string): string => join(folder, 'helper-record.txt')

/** The flag that loads the hook into a gateway process. */
export function helperFlag(folder: string): string {
  const hook = new URL('./helper-hook.ts', import.meta.url)
  hook.search = new URLSearchParams({ folder }).toString()
  return `--import=${hook.href}`
}
