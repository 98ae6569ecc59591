import type { JSX } from 'preact'
import { Badge } from '../../kit/badge.tsx'
import { stageTexts } from './dispute.ts'

/** A stage that is not known here is shown as it is. */
export function StageBadge({ of }: { readonly of: string }): JSX.Element {
  const [words, tone] = Object.entries(stageTexts).find(([stage]) => stage === of)?.[1] ?? ([of, 'plain'] as const)
  return <Badge tone={tone}>{words}</Badge>
}
