import type { JSX } from 'preact'
import type { AlertSeverity } from '#domain/alert/alert-severity.ts'
import { Badge } from '../../kit/badge.tsx'
import { severityTexts } from './alert.ts'

export function SeverityBadge({ of }: { readonly of: AlertSeverity }): JSX.Element {
  const [words, tone] = severityTexts[of]
  return <Badge tone={tone}>{words}</Badge>
}
