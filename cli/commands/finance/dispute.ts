/** Disputes: listed, shown, provided with evidence and answered. Chapter 70 §4. */

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { disputeStages } from '#domain/dispute/dispute.ts'
import { evidenceBytesAtMost, evidenceKinds } from '#domain/dispute/evidence.ts'
import { formatAmount } from '#domain/money/money.ts'
import { isDay } from '#domain/schedule/day.ts'
import { utcDay } from '#domain/time.ts'
import { addEvidence, changeDispute, readDisputeRates, requireDispute } from '#server/panel/finance/disputes.ts'
import { fileFault } from '#server/process/file-fault.ts'
import { type LoadedConfiguration, loadConfiguration } from '#server/store/configuration/configuration.ts'
import { type DisputeRow, disputeStore } from '#server/store/finance/disputes/disputes.ts'
import { type Command, command } from '../../kit/command.ts'
import { CommandError } from '../../kit/command-error.ts'
import { printJson } from '../../kit/context.ts'
import { type Instance, openInstance } from '../../kit/instance.ts'
import { requireMerchant } from '../../kit/named.ts'
import { argument, flag, value } from '../../kit/options.ts'
import { withPanelRefusals } from '../../kit/panel-refusal.ts'
import * as readers from '../../kit/readers.ts'
import { record, table } from '../../kit/table.ts'
import { disputeAnswerCommands } from './dispute-answer.ts'

const shownAtMost = 500
const json = flag('Prints JSON.')
const named = { merchant: argument('MERCHANT', readers.nonEmpty), dispute: argument('DISPUTE', readers.uuid) }

export const disputeCommands: readonly Command[] = [
  command({
    name: 'dispute list',
    summary: 'Lists disputes, newest first.',
    args: {},
    options: {
      merchant: value('NAME', 'Only disputes of this merchant.', readers.nonEmpty),
      stage: value('STAGE', 'Only disputes at this stage.', readers.oneOf(disputeStages)),
      open: flag('Only disputes that are neither won nor lost.'),
      json,
    },
    async run(context, _args, { merchant: name, stage = null, open, json: asJson }) {
      await using instance = await openInstance(context)
      const merchantIds = name === undefined ? null : [(await requireMerchant(instance.pool, name)).id]
      const filter = { merchantIds, stage, openOnly: open === true, before: null, limit: shownAtMost }
      const disputes = await disputeStore(instance.pool).list(filter)
      if (asJson) {
        printJson(context.output, disputes)
        return
      }
      const configuration = await readConfiguration(instance)
      const headings = ['dispute', 'merchant', 'stage', 'answer', 'amount', 'reason', 'due', 'order', 'payment']
      const rows = disputes.map((one) => [
        one.id,
        configuration.merchant(one.merchantId)?.name ?? one.merchantId,
        one.stage,
        one.answer,
        amountOf(one),
        one.reasonCode,
        one.dueOn,
        one.orderId,
        one.paymentId,
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'dispute rates',
    summary: 'Prints the disputes of a month per MID and network, and their share of the payments.',
    args: {},
    options: { day: value('DAY', 'A day of the month, such as 2026-03-01; default today.', readers.day), json },
    async run(context, _args, { day, json: asJson }) {
      await using instance = await openInstance(context)
      const { pool, clock } = instance
      const configuration = await readConfiguration(instance)
      const month = day ?? utcDay(clock.now())
      const { watchedShare, rates } = await readDisputeRates({ pool, clock, configuration }, month)
      if (asJson) {
        printJson(context.output, { watchedShare, rates })
        return
      }
      const percent = (share: number): string => `${(share * 100).toFixed(2)} %`
      const headings = ['MID', 'network', 'disputes', 'payments', 'rate', 'threshold', 'watched']
      const rows = rates.map(({ midName, midId, network, disputes, payments, share, isWatched }) => [
        midName ?? midId,
        network,
        disputes,
        payments,
        share === null ? null : percent(share),
        percent(watchedShare),
        isWatched ? 'yes' : 'no',
      ])
      context.output.out(table(headings, rows))
    },
  }),
  command({
    name: 'dispute show',
    summary: 'Shows a dispute with its evidence.',
    args: named,
    options: { json },
    async run(context, { merchant: name, dispute: id }, { json: asJson }) {
      await using instance = await openInstance(context)
      const { id: merchantId } = await requireMerchant(instance.pool, name)
      const configuration = await readConfiguration(instance)
      const dispute = await withPanelRefusals(requireDispute({ ...instance, configuration }, merchantId, id))
      if (asJson) {
        printJson(context.output, dispute)
        return
      }
      context.output.out(
        record([
          ['dispute', dispute.id],
          ['order', dispute.orderId],
          ['payment', dispute.paymentId],
          ['MID', dispute.midName],
          ['reference', dispute.reference],
          ['amount', amountOf(dispute)],
          ['reason', dispute.reasonCode],
          ['stage', dispute.stage],
          ['money taken', dispute.isChargedBack ? 'yes' : 'no, an inquiry'],
          ['answer', dispute.answer],
          ['due', dispute.dueOn],
          ['answers go to', dispute.isSent ? dispute.acquirer : 'the acquirer by hand'],
          ['opened', dispute.openedAt],
        ]),
      )
      if (dispute.files.length > 0)
        context.output.out(
          table(
            ['evidence', 'type', 'bytes', 'kind', 'added', 'sent', 'id'],
            dispute.files.map((file) => [
              file.name,
              file.type,
              file.size,
              file.kind,
              file.addedAt,
              file.sentAt,
              file.id,
            ]),
          ),
        )
      if (dispute.answers.length > 0)
        context.output.out(
          table(
            ['answer', 'by', 'requested', 'way', 'state', 'sent', 'note'],
            dispute.answers.map((one) => [
              one.answer,
              one.requestedBy,
              one.requestedAt,
              one.way,
              one.state,
              one.sentAt,
              one.note,
            ]),
          ),
        )
    },
  }),
  command({
    name: 'dispute add-evidence',
    changes: true,
    summary: 'Adds a file of evidence: PDF, PNG or JPEG, up to 5 MB and within the acquirer’s limits.',
    args: { ...named, file: argument('FILE', readers.nonEmpty) },
    options: { kind: value('KIND', 'What it shows; other by default.', readers.oneOf(evidenceKinds)) },
    async run(context, { merchant: name, dispute: id, file }, { kind = 'other' }) {
      const bytes = await readFile(file).catch((error: unknown) => {
        throw new CommandError(`The file ${file} cannot be read. ${fileFault(error)}`, 'Check the path.')
      })
      // A larger file is refused before it becomes text.
      if (bytes.length > evidenceBytesAtMost)
        throw new CommandError('A file may have up to 5 MB. Make it smaller.', 'Nothing was changed.')
      await using instance = await openInstance(context)
      const { id: merchantId } = await requireMerchant(instance.pool, name)
      const configuration = await readConfiguration(instance)
      const evidence = { name: basename(file), content: bytes.toString('base64'), kind }
      await instance.change(async (change) =>
        change.note(
          await withPanelRefusals(
            addEvidence({ ...change, configuration }, change.actor, { merchantId, id }, evidence),
          ),
        ),
      )
      context.output.out('Added.')
    },
  }),
  ...disputeAnswerCommands,
  command({
    name: 'dispute change',
    changes: true,
    summary: 'Records stage, deadline or an answer given by hand; other values stay unchanged.',
    details:
      'To send an answer to the acquirer, use dispute answer. Contesting needs evidence, and marks it as sent. Whether a chargeback is won or lost is decided by\ntwo people: see dispute decide. A dispute that is won or lost cannot be changed.',
    args: named,
    options: {
      stage: value('STAGE', 'The new stage.', readers.oneOf(disputeStages)),
      answer: value('ANSWER', 'accepted or contested.', readers.oneOf(['accepted', 'contested'])),
      due: value('DAY', 'The deadline, such as 2027-01-31.', readers.nonEmpty),
    },
    examples: ['gatehouse dispute change acme 0199… --answer contested'],
    async run(context, { merchant: name, dispute: id }, { stage, answer, due }) {
      if (stage === undefined && answer === undefined && due === undefined)
        throw new CommandError('Nothing is to be changed.', 'Give --stage, --answer or --due.')
      if (due !== undefined && !isDay(due)) throw new CommandError('--due is not a day.', 'Write it as 2027-01-31.')
      await using instance = await openInstance(context)
      const { id: merchantId } = await requireMerchant(instance.pool, name)
      const configuration = await readConfiguration(instance)
      await instance.change(async (change) => {
        const at = { ...change, configuration }
        const before = await withPanelRefusals(requireDispute(at, merchantId, id))
        const wish = { stage: stage ?? before.stage, answer: answer ?? before.answer, dueOn: due ?? before.dueOn }
        change.note(await withPanelRefusals(changeDispute(at, merchantId, id, wish)))
      })
      context.output.out('Changed.')
    },
  }),
]

const readConfiguration = ({ pool, vault, log }: Instance): Promise<LoadedConfiguration> =>
  loadConfiguration(pool, vault, log)

const amountOf = ({ amountMinor, currency, amountDecimals }: DisputeRow): string =>
  `${formatAmount(amountMinor, currency, amountDecimals)} ${currency}`
