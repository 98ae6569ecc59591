import type { Answer } from '../api/call.ts'

type Work = Pick<Answer<'GET /work/:workId'>, 'failures' | 'failed'>

/** Null if all failures are listed. */
export const cutFailuresText = ({ failures, failed }: Work): string | null =>
  Number(failed) > failures.length ? `Showing the first ${failures.length} of ${failed} failures.` : null
