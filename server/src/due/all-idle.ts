import type { DueWork } from './due-work.ts'

/** The work of one worker may create work for another, so all are asked again until none had anything to do. */
export async function awaitAllIdle(workers: readonly DueWork[]): Promise<void> {
  const countBegun = () => workers.reduce((sum, worker) => sum + worker.begun, 0)
  for (let before = -1; before !== countBegun(); ) {
    before = countBegun()
    await Promise.all(workers.map((worker) => worker.awaitIdle()))
  }
}
