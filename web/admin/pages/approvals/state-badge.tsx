import type { JSX } from 'preact'
import { Badge } from '../../kit/badge.tsx'
import type { Approval } from './approval.ts'
import { shownState } from './states.ts'

export function StateBadge({ of }: { readonly of: Approval }): JSX.Element {
  const { text, tone } = shownState(of)
  return <Badge tone={tone}>{text}</Badge>
}
