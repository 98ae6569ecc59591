/** Answers to disputes: sent to the acquirer, or bundled for sending by hand. Chapter 60 §5. */
import { writeFile } from 'node:fs/promises'
import type { AuditNote } from '#server/panel/audit/audit.ts'
import { answerDispute, settleAnswer } from '#server/panel/finance/dispute-answers.ts'
import { createDisputeBundle } from '#server/panel/finance/dispute-bundle.ts'
import { askDisputeDecision, disputeDecisions } from '#server/panel/finance/dispute-decision.ts'
import { removeEvidence } from '#server/panel/finance/disputes.ts'
import { type LoadedConfiguration, loadConfiguration } from '#server/store/configuration/configuration.ts'
import { userStore } from '#server/store/people/users.ts'
import type { ChangeContext } from '../../kit/change.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError, UsageError } from '../../kit/command-error.ts'
import type { CommandContext } from '../../kit/context.ts'
import { openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'

const named = { merchant: argument('MERCHANT', readers.nonEmpty), dispute: argument('DISPUTE', readers.uuid) }

export const disputeAnswerCommands: readonly Command[] = [
  command({
    name: 'dispute answer',
    changes: true,
    summary: 'Accepts or contests a dispute; a worker sends the answer if the acquirer accepts answers by API.',
    details:
      'Contesting needs evidence. If the acquirer does not accept answers by API, or with --by-hand, the answer is only recorded:\nupload the file of "dispute bundle" in the acquirer’s portal.',
    args: { ...named, answer: argument('ANSWER', readers.oneOf(['accepted', 'contested'])) },
    options: {
      reason: value('CODE', 'Reason code from the acquirer’s list; required for Adyen.', readers.nonEmpty),
      'by-hand': flag('You answer in the acquirer’s portal; nothing is sent.'),
    },
    examples: ['gatehouse dispute answer acme 0199… contested --reason SupplyDefenseMaterial'],
    async run(context, { answer, ...which }, { reason = null, 'by-hand': byHand }) {
      const wish = { answer, reason, byHand: byHand === true }
      await changeDispute(context, which, (at, dispute) => answerDispute(at, at.actor, dispute, wish))
      context.output.out('Recorded. See dispute show for what was sent.')
    },
  }),
  command({
    name: 'dispute settle-answer',
    changes: true,
    summary: 'Records whether an answer with an unknown result reached the acquirer.',
    args: { ...named, outcome: argument('OUTCOME', readers.oneOf(['arrived', 'lost'])) },
    options: {},
    async run(context, { outcome, ...which }) {
      await changeDispute(context, which, (at, dispute) => settleAnswer(at, dispute, outcome === 'arrived'))
      context.output.out('Recorded.')
    },
  }),
  command({
    name: 'dispute decide',
    changes: true,
    summary: 'Asks a second person to record that a chargeback was won or lost.',
    details:
      'Nothing is decided yet: another user approves the request in the panel under Approvals. A won chargeback returns its amount to the merchant. Where the\nacquirer reports decisions, wait for its report; --report-missing says that it has decided and no report came.',
    args: { ...named, decision: argument('DECISION', readers.oneOf(disputeDecisions)) },
    options: {
      reason: value('TEXT', 'The reason, for the second person.', readers.nonEmpty),
      evidence: value('TEXT', 'What the decision is based on.', readers.nonEmpty),
      by: value('EMAIL', 'The panel user who asks.', readers.email),
      'report-missing': flag('The acquirer has decided, and its report did not come.'),
    },
    examples: [
      'gatehouse dispute decide acme 0199… won --reason "decided on 2 March" --evidence "letter of the acquirer" --by ann@example.com',
    ],
    async run(context, { decision, ...which }, { reason, evidence, by, 'report-missing': isReportMissing = false }) {
      if (reason === undefined || evidence === undefined || by === undefined)
        throw new UsageError('--reason, --evidence and --by are needed.', 'The second person reads them.')
      const id = await withDispute(context, which, async (at, dispute) => {
        const user = await userStore(at.pool).findByEmail(by)
        if (user === null) throw new CommandError(`There is no user ${by}.`, '"gatehouse user list" shows the users.')
        const wish = { decision, reason, evidence, isReportMissing }
        return (await askDisputeDecision(at, { user, actor: at.actor }, dispute, wish)).id
      })
      context.output.out(`Request ${id} waits for a second person, in the panel under Approvals.`)
    },
  }),
  command({
    name: 'dispute remove-evidence',
    changes: true,
    summary: 'Removes a file of evidence that was not sent.',
    args: { ...named, file: argument('FILE-ID', readers.uuid) },
    options: {},
    async run(context, { file, ...which }) {
      await changeDispute(context, which, (at, dispute) => removeEvidence(at, dispute, file))
      context.output.out('Removed.')
    },
  }),
  command({
    name: 'dispute bundle',
    summary: 'Writes a ZIP archive with a cover sheet and all evidence of a dispute.',
    args: { ...named, file: argument('FILE', readers.nonEmpty) },
    options: {},
    async run(context, { merchant: name, dispute: id, file }) {
      await using instance = await openInstance(context)
      const { id: merchantId } = await requireMerchant(instance.pool, name)
      const { pool, vault, log } = instance
      const configuration = await loadConfiguration(pool, vault, log)
      const { content } = await withPanelRefusals(createDisputeBundle({ ...instance, configuration }, merchantId, id))
      await writeFile(file, Buffer.from(content, 'base64'), { flag: 'wx', mode: 0o600 }).catch(() => {
        throw new CommandError(`The file ${file} cannot be written.`, 'Choose a path that does not exist yet.')
      })
      context.output.out('Written.')
    },
  }),
]

interface DisputeName {
  readonly merchantId: string
  readonly id: string
}

/** The configuration tells which acquirer takes answers. */
type DisputeChange = ChangeContext & { readonly configuration: LoadedConfiguration }

const changeDispute = (
  context: CommandContext,
  which: NamedDispute,
  work: (at: DisputeChange, dispute: DisputeName) => Promise<AuditNote>,
): Promise<void> => withDispute(context, which, async (at, dispute) => at.note(await work(at, dispute)))

interface NamedDispute {
  readonly merchant: string
  readonly dispute: string
}

async function withDispute<T>(
  context: CommandContext,
  { merchant, dispute: id }: NamedDispute,
  work: (at: DisputeChange, dispute: DisputeName) => Promise<T>,
): Promise<T> {
  await using instance = await openInstance(context)
  const { pool, vault, log } = instance
  const { id: merchantId } = await requireMerchant(pool, merchant)
  const configuration = await loadConfiguration(pool, vault, log)
  return await instance.change((change) => withPanelRefusals(work({ ...change, configuration }, { merchantId, id })))
}
