/** Finds marked keys on a separate thread, because the search takes seconds of CPU time. */
import { Worker } from 'node:worker_threads'
import { type KeyPair, pairOfText } from './key-pair.ts'

export function findMarkedKeys(count: number): Promise<readonly KeyPair[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly KeyPair[]>()
  const worker = new Worker(new URL('./marked-keys-worker.ts', import.meta.url), { workerData: count })
  // The search must not keep the process from ending.
  worker.unref()
  worker.once('message', (texts: readonly string[]) => resolve(texts.map(pairOfText)))
  worker.once('error', reject)
  return promise
}
