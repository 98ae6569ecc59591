/** Searches for marked keys outside the thread that answers requests. */
import { parentPort, workerData } from 'node:worker_threads'
import { textOfPair } from './key-pair.ts'
import { findMarkedKey } from './marked-walk.ts'

const count = Number(workerData)
parentPort?.postMessage(Array.from({ length: count }, () => textOfPair(findMarkedKey())))
