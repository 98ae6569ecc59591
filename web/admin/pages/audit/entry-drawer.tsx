/** One entry of the audit log, with its differences and the hashes of the chain. */
import type { JSX } from 'preact'
import { Drawer } from '../../kit/dialog.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { DiffView } from '../../kit/values/diff-view.tsx'
import { JsonView } from '../../kit/values/json-view.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import type { AuditEntry } from './audit-entry.ts'

interface EntryDrawerProps {
  readonly entry: AuditEntry
  readonly merchant: string | null
  readonly onClose: () => void
}

export function EntryDrawer({ entry, merchant, onClose }: EntryDrawerProps): JSX.Element {
  return (
    <Drawer title={`Entry ${entry.seq}`} onClose={onClose}>
      <KeyValues
        rows={[
          ['Action', <code>{entry.action}</code>],
          ['When', <DateTime at={entry.at} seconds />],
          ['User', entry.actor],
          ['IP address', entry.address],
          ['Subject', entry.subject],
          ['Merchant', merchant],
        ]}
      />
      <DiffView before={parseLogged(entry.before)} after={parseLogged(entry.after)} />
      {entry.before !== null && <JsonView label="Before" value={entry.before} />}
      {entry.after !== null && <JsonView label="After" value={entry.after} />}
      <KeyValues
        rows={[
          ['Hash of the previous entry', <code>{entry.previousHash}</code>],
          ['Hash', <code>{entry.hash}</code>],
        ]}
      />
    </Drawer>
  )
}

/** The log stores JSON as the text that was hashed. */
function parseLogged(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return text
  }
}
