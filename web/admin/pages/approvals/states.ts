/** The states of requests, as the lists and their filter name them. */
import type { Tone } from '../../kit/states.tsx'
import type { Approval } from './approval.ts'

interface ApprovalState {
  readonly value: Approval['state'] | 'left'
  readonly text: string
  readonly tone: Tone
}

// biome-ignore format: a table is read in columns.
export const approvalStates: readonly ApprovalState[] = [
  { value: 'waiting',   text: 'Waiting',         tone: 'info'  },
  { value: 'left',      text: 'Not completed', tone: 'warn'  },
  { value: 'approved',  text: 'Approved',        tone: 'good'  },
  { value: 'done',      text: 'Done',            tone: 'good'  },
  { value: 'refused',   text: 'Refused',         tone: 'bad'   },
  { value: 'withdrawn', text: 'Withdrawn',       tone: 'plain' },
  { value: 'failed',    text: 'Failed',          tone: 'bad'   },
]

/** One that was approved and left is not completed, whatever is stored. */
export function shownState({ state, isLeft }: Approval): Pick<ApprovalState, 'text' | 'tone'> {
  const shown = isLeft ? 'left' : state
  return approvalStates.find(({ value }) => value === shown) ?? { text: state, tone: 'plain' }
}
