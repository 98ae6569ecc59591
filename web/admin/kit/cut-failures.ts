import type { Answer } from '../api/call.ts'
import { countText } from './values/count-text.ts'

type Work = Pick<Answer<'GET /work/:workId'>, 'failures' | 'failed'>

/** Null if all failures are listed. */
export const cutFailuresText = ({ failures, failed }: Work): string | null =>
  Number(failed) > failures.length
    ? `Showing the first ${countText(failures.length)} of ${countText(Number(failed))} failures.`
    : null
