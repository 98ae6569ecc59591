/**
 * Loaded into a gateway process by `node --import`, keeps some memory of every request: `memory-leak-hook.ts?kilobytes=2048&kind=heap`.
 * Objects of the heap are collected in vain as it grows; buffers lie outside it.
 */
import { subscribe } from 'node:diagnostics_channel'

const parameters = new URL(import.meta.url).searchParams
const bytes = Number(parameters.get('kilobytes') ?? 0) * 1024
const isHeap = parameters.get('kind') === 'heap'
const bytesPerNumber = 8
const leaked: unknown[] = []

subscribe('http.server.request.start', () => {
  leaked.push(isHeap ? Array.from({ length: bytes / bytesPerNumber }, (_, at) => at + 0.5) : Buffer.alloc(bytes, 1))
})
