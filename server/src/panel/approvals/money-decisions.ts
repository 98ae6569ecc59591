/**
 * Every decision about money that people make, and what follows if the acquirer or the bank says something else later. Chapter 70 §11,
 * decisions/corrections#later-reports. A request that waits for a second person has its row here before it compiles;
 * `docs/operations/panel.md` shows the table.
 */
import type { ApprovalKind } from '../../store/people/approvals.ts'
import type { Permission } from '../access/permissions.ts'

interface MoneyDecision {
  readonly title: string
  /** Null on the command line, which belongs to the people of the machine. */
  readonly permission: Permission | null
  readonly people: 'one' | 'two' | 'two above REFUND_APPROVAL'
  /** What the acquirer or the bank may say later. */
  readonly later: string
  /** What is posted then. */
  readonly posted: string
  /** The test that plays it. */
  readonly proof: string
}

/** Requests that have nothing to do with money. */
type OtherKind = 'password-reveal' | 'routing-publish' | 'factor-reset' | 'user-rights'
type MoneyKind = Exclude<ApprovalKind, OtherKind>
type LoneDecision = 'chargeback' | 'inquiry' | 'answer' | 'review' | 'paid' | 'settled-by-hand'

const disputes = 'server/test/acquirers/disputes'
const finance = 'server/test/flows/finance'
const api = 'server/src/protocols/admin/api/endpoints/finance'

type RequestedDecision = MoneyDecision & { readonly permission: Permission }

export const moneyDecisions: Readonly<Record<MoneyKind, RequestedDecision> & Record<LoneDecision, MoneyDecision>> = {
  refund: {
    title: 'Refund or void',
    permission: 'payments.refund',
    people: 'two above REFUND_APPROVAL',
    later: 'The approved refund failed.',
    posted: 'Nothing: the alert `refund-failed` asks people to repay the payer or to correct the balance.',
    proof: 'server/test/flows/certainty/failed-refunds.test.ts',
  },
  outcome: {
    title: 'Outcome of a transaction that the acquirer does not report',
    permission: 'payments.decide',
    people: 'two',
    later: 'It executed what was decided as not executed, or the reverse.',
    posted:
      'A charge that was executed after all is reversed at the acquirer. Otherwise nothing: the alert `decision-contradicted`, and the difference of the settlement file is posted by two people.',
    proof: `${api}/unresolved.test.ts`,
  },
  'give-back': {
    title: 'Money was given back at the acquirer',
    permission: 'payments.decide',
    people: 'two',
    later: 'A settlement file has the row of the return.',
    posted: 'Nothing was booked for the charge, so that its row is a difference, which two people post.',
    proof: `${finance}/outcomes-after-postings.test.ts`,
  },
  dispute: {
    title: 'Chargeback won or lost, where no report of the acquirer comes',
    permission: 'payments.decide',
    people: 'two',
    later: 'It reports the dispute as lost or won, or returns another amount.',
    posted:
      'Lost: the return is posted back, once. Won with its money: the return, once, with the amount that the acquirer names. A return that a report or a settlement file confirms is the acquirer’s.',
    proof: `${disputes}/decisions-by-hand.test.ts`,
  },
  difference: {
    title: 'Difference of a settlement or the bank: posted, resolved with a note, or its chargeback recorded',
    permission: 'settlements.write',
    people: 'two',
    later: 'A row comes after the posting, money of a chargeback comes back, or the chargeback is notified of.',
    posted:
      'After a posting the row is *Settled twice* and can be posted, and after a note it settles the transaction; a return, or a return that is undone, is posted as well; a notification of the same amount is the recorded chargeback, and one of another amount waits for people.',
    proof: `${finance}/rows-after-postings.test.ts, ${finance}/chargeback-returns.test.ts, ${api}/settled-chargebacks.test.ts`,
  },
  correction: {
    title: 'Correction of what a merchant is owed',
    permission: 'accounts.write',
    people: 'two',
    later: 'Nothing: no acquirer knows of it.',
    posted: 'A further correction.',
    proof: 'server/test/panel/approval-scene.ts',
  },
  'payout-run': {
    title: 'Payout run',
    permission: 'payouts.write',
    people: 'two',
    later: 'The bank returns a transfer, or makes it twice.',
    posted: 'Nothing: the import reports it with what to do, and two people correct the balance.',
    proof: `${finance}/payout-transfers.test.ts`,
  },
  'payout-account': {
    title: 'Bank account of a merchant',
    permission: 'accounts.write',
    people: 'two',
    later: 'The bank returns the transfer.',
    posted: 'As for a payout run.',
    proof: `${finance}/payout-accounts.test.ts`,
  },
  chargeback: {
    title: 'Chargeback recorded at the payment',
    permission: 'payments.dispute',
    people: 'one',
    later: 'It notifies of the chargeback, of another amount, or of none.',
    posted:
      'The same amount: nothing, and the dispute gets its reference. Another amount: nothing until people decide. None: a difference *Not settled*. It only takes money from the merchant’s balance, and two people return it.',
    proof: `${disputes}/decisions-by-hand.test.ts`,
  },
  inquiry: {
    title: 'Inquiry closed',
    permission: 'payments.dispute',
    people: 'one',
    later: 'Its chargeback comes.',
    posted: 'The chargeback. Closing the inquiry moved no money.',
    proof: `${disputes}/inquiries.test.ts`,
  },
  answer: {
    title: 'Dispute accepted or contested',
    permission: 'payments.dispute',
    people: 'one',
    later: 'It refuses the answer, or decides.',
    posted: 'What it reports. The answer moves no money.',
    proof: `${disputes}/dispute-answers.test.ts`,
  },
  review: {
    title: 'Review released or declined, a hold captured, a charge retried',
    permission: 'payments.decide',
    people: 'one',
    later: 'The outcome of the command.',
    posted: 'What it reports, as for a command of the merchant.',
    proof: 'server/test/flows/routing/review.test.ts',
  },
  paid: {
    title: 'Payout marked as paid by hand',
    permission: 'payouts.write',
    people: 'one',
    later: 'The bank statement has the transfer, has it twice, or has its return.',
    posted: 'Nothing: the run has booked the payout. What differs is reported with what to do.',
    proof: `${finance}/payout-transfers.test.ts`,
  },
  'settled-by-hand': {
    title: 'Recovery ended as settled by hand (command line)',
    permission: null,
    people: 'one',
    later: 'A settlement file has rows of charges that the restored database does not have.',
    posted: 'Nothing: each is a difference, which two people post.',
    proof: `${api}/settlements.test.ts`,
  },
}
