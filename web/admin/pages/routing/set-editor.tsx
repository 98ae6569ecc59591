/** One rule set: its state, its draft, and beside it simulation, replay and history. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { textAt } from '../../api/call.ts'
import { useReading } from '../../api/use-reading.ts'
import { Section } from '../../kit/page.tsx'
import { Notice } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { DateTime } from '../../kit/values/date-time.tsx'
import { KeyValues } from '../../kit/values/key-values.tsx'
import { Link } from '../../router/link.tsx'
import { may } from '../../session/session.ts'
import { DraftSection } from './draft-section.tsx'
import { HistoryPanel } from './history/history-panel.tsx'
import { useNames } from './names.ts'
import { ExplainPanel } from './trial/explain-panel.tsx'
import { ReplayPanel } from './trial/replay-panel.tsx'
import { SimulatePanel } from './trial/simulate-panel.tsx'
import { type Draft, type ShownSet, useDraft } from './use-draft.ts'

interface SetEditorProps {
  readonly loaded: ShownSet
  readonly reload: () => void
  /** Called when the list of sets has changed. */
  readonly onChanged: () => void
}

export function SetEditor({ loaded, reload, onChanged }: SetEditorProps): JSX.Element {
  const draft = useDraft(loaded)
  const names = useNames(loaded.merchantId)
  const { ruleSet } = loaded
  const waiting = useReading('GET /approvals', {
    query: { state: 'waiting', limit: 50 },
    when: may('approvals.read'),
  })
  useEffect(() => draft.adopt(loaded), [loaded])
  useEffect(() => {
    if (draft.set !== loaded) onChanged()
  }, [draft.set])
  const publishRequest = waiting.value?.approvals.find(
    ({ kind, request }) => kind === 'routing-publish' && textAt(request, 'ruleSet') === ruleSet,
  )
  return (
    <>
      <RuleSetState set={draft.set} />
      {publishRequest && (
        <Notice>
          <p>
            These rules have been waiting for approval since <DateTime at={publishRequest.askedAt} />.{' '}
            <Link to="/approvals?state=waiting">View approvals</Link>
          </p>
        </Notice>
      )}
      <div class="routing">
        <DraftSection draft={draft} names={names} onAsked={waiting.reload} />
        <Questions
          draft={draft}
          onRolledBack={() => {
            reload()
            onChanged()
          }}
        />
      </div>
    </>
  )
}

function Questions({ draft, onRolledBack }: { readonly draft: Draft; readonly onRolledBack: () => void }): JSX.Element {
  const { set, rules } = draft
  const { ruleSet, merchantId, published } = set
  return (
    <Section>
      <Tabs
        label="Rule tools"
        parameter="panel"
        tabs={[
          {
            name: 'simulate',
            title: 'Simulate',
            content: () => <SimulatePanel ruleSet={ruleSet} merchantId={merchantId} rules={rules} />,
          },
          { name: 'replay', title: 'Replay', content: () => <ReplayPanel ruleSet={ruleSet} rules={rules} /> },
          { name: 'explain', title: 'Explain', content: () => <ExplainPanel /> },
          {
            name: 'history',
            title: 'History',
            content: () => (
              <HistoryPanel
                key={published?.version ?? 0}
                ruleSet={ruleSet}
                current={published}
                onRolledBack={onRolledBack}
              />
            ),
          },
        ]}
      />
    </Section>
  )
}

const RuleSetState = ({ set: { published, draft } }: { readonly set: ShownSet }): JSX.Element => (
  <Section>
    <div class="rule-set-state">
      <KeyValues
        rows={[
          ['Published', published ? <Step {...publishedStep(published)} /> : 'None yet'],
          ['Draft', draft ? <Step {...draftStep(draft)} /> : 'None'],
        ]}
      />
    </div>
  </Section>
)

interface StepProps {
  readonly what: string
  readonly at: string
  readonly by: string
}

const publishedStep = ({ version, publishedAt, publishedBy }: NonNullable<ShownSet['published']>): StepProps => ({
  what: `Version ${version}`,
  at: publishedAt,
  by: publishedBy,
})

const draftStep = ({ revision, changedAt, changedBy }: NonNullable<ShownSet['draft']>): StepProps => ({
  what: `Revision ${revision}`,
  at: changedAt,
  by: changedBy,
})

const Step = ({ what, at, by }: StepProps): JSX.Element => (
  <>
    <strong>{what}</strong> by {by}, <DateTime at={at} />
  </>
)
