/** Marked keys, from a thread of their own: the search takes whole seconds of a processor. */
import { Worker } from 'node:worker_threads'
import { type KeyPair, pairOfText } from './key-pair.ts'

export function findMarkedKeys(count: number): Promise<readonly KeyPair[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly KeyPair[]>()
  const worker = new Worker(new URL('./marked-keys-worker.ts', import.meta.url), { workerData: count })
  // A program that stops does not wait for a search.
  worker.unref()
  worker.once('message', (texts: readonly string[]) => resolve(texts.map(pairOfText)))
  worker.once('error', reject)
  return promise
}
