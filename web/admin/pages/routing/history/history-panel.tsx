/** Every published version, its changes, and rolling back to it. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type Answer, call } from '../../../api/call.ts'
import { usePages } from '../../../api/use-pages.ts'
import { Badge } from '../../../kit/badge.tsx'
import { Button } from '../../../kit/button.tsx'
import { FaultView } from '../../../kit/fault-view.tsx'
import { ConfirmDialog } from '../../../kit/form/confirm-dialog.tsx'
import { May } from '../../../kit/may.tsx'
import { Empty, Skeleton } from '../../../kit/states.tsx'
import { toast } from '../../../kit/toasts.tsx'
import { DateTime } from '../../../kit/values/date-time.tsx'
import { rulesFrom } from '../rule/draft-rule.ts'
import { ChangesView } from './changes-view.tsx'
import { CompareDialog } from './compare-dialog.tsx'

type Version = Answer<'GET /routing/sets/:ruleSet/versions'>['versions'][number]

interface HistoryPanelProps {
  readonly ruleSet: string
  /** The versions are read again when it changes. */
  readonly current: Version | null
  readonly onRolledBack: () => void
}

const pageSize = 20

export function HistoryPanel({ ruleSet, current, onRolledBack }: HistoryPanelProps): JSX.Element {
  const open = useSignal<{ readonly act: 'compare' | 'roll-back'; readonly version: Version } | null>(null)
  const close = (): void => {
    open.value = null
  }
  const list = usePages(
    'GET /routing/sets/:ruleSet/versions',
    { params: { ruleSet }, query: { limit: pageSize } },
    {
      rows: ({ versions }) => versions,
      next: ({ versions }) => (versions.length < pageSize ? null : { before: versions.at(-1)?.version }),
    },
  )
  if (list.isLoading) return <Skeleton />
  if (list.fault && list.rows.length === 0) return <FaultView fault={list.fault} onRetry={list.reload} />
  if (list.rows.length === 0)
    return (
      <Empty title="No published versions yet.">
        <p>Save a draft and request its publication.</p>
      </Empty>
    )
  return (
    <>
      <ol class="versions" aria-label="Versions">
        {list.rows.map((version) => (
          <VersionItem
            key={version.version}
            version={version}
            isCurrent={version.version === current?.version}
            onAct={(act) => {
              open.value = { act, version }
            }}
          />
        ))}
      </ol>
      {list.hasMore && (
        <div>
          <Button onClick={list.more} busy={list.isLoadingMore}>
            Show more
          </Button>
        </div>
      )}
      {open.value?.act === 'compare' && (
        <CompareDialog versions={list.rows} version={open.value.version.version} onClose={close} />
      )}
      {open.value?.act === 'roll-back' && (
        <RollBackDialog
          ruleSet={ruleSet}
          current={current}
          version={open.value.version}
          onDone={onRolledBack}
          onClose={close}
        />
      )}
    </>
  )
}

interface VersionItemProps {
  readonly version: Version
  readonly isCurrent: boolean
  readonly onAct: (act: 'compare' | 'roll-back') => void
}

const VersionItem = ({ version, isCurrent, onAct }: VersionItemProps): JSX.Element => (
  <li>
    <p class="change-head">
      <strong>Version {version.version}</strong>
      {isCurrent && <Badge tone="good">current</Badge>}
      {version.restores !== null && <Badge>brings back version {version.restores}</Badge>}
    </p>
    {version.note !== '' && <p>{version.note}</p>}
    <p class="faint">
      <DateTime at={version.publishedAt} /> · written by {version.draftedBy}, published by {version.publishedBy} ·{' '}
      {version.rules.length === 1 ? '1 rule' : `${version.rules.length} rules`}
    </p>
    <div class="page-actions">
      <Button small onClick={() => onAct('compare')}>
        Compare
      </Button>
      {!isCurrent && (
        <May use="routing.write">
          <Button small onClick={() => onAct('roll-back')}>
            Roll back
          </Button>
        </May>
      )}
    </div>
  </li>
)

interface RollBackDialogProps {
  readonly ruleSet: string
  readonly current: Version | null
  readonly version: Version
  readonly onDone: () => void
  readonly onClose: () => void
}

const RollBackDialog = ({ ruleSet, current, version, onDone, onClose }: RollBackDialogProps): JSX.Element => (
  <ConfirmDialog
    title={`Roll back to version ${version.version}?`}
    act="Roll back"
    danger
    reason="required"
    onConfirm={async (reason) => {
      const request = { params: { ruleSet }, body: { version: version.version, reason } }
      const result = await call('POST /routing/sets/:ruleSet/roll-back', request)
      if (!result.ok) return result
      toast(`Rolled back to version ${version.version}. The current version is ${result.value.version}.`)
      onDone()
      return result
    }}
    onClose={onClose}
  >
    <p>These rules apply immediately to every payment. No approval is needed because they were approved before.</p>
    <ChangesView before={rulesFrom(current?.rules ?? [])} after={rulesFrom(version.rules)} />
  </ConfirmDialog>
)
