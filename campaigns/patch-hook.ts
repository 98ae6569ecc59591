/**
 * Loaded into a process by `node --import`, changes the text of source files as they are loaded. The query of this module's address,
 * written by `patch.ts`, says what to change.
 */
import { registerHooks } from 'node:module'
import { applyPatch, type Patch } from './patch.ts'

const root = new URL('..', import.meta.url)
const encodedPatches = new URL(import.meta.url).searchParams.get('patches') ?? ''
// Written by `patchFlag` alone.
const patches = JSON.parse(Buffer.from(encodedPatches, 'base64url').toString('utf8')) as readonly Patch[]
const byAddress = Map.groupBy(patches, ({ file }) => new URL(file, root).href)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const wanted = byAddress.get(url)
    if (!wanted) return loaded
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    return { ...loaded, source: wanted.reduce(applyPatch, source) }
  },
})
