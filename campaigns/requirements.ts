/** What must never happen, and which campaigns show that it does not. The evidence is laid out by these rows. */
export interface Requirement {
  readonly must: string
  /** Names of campaigns; one that is not there yet is told as missing. */
  readonly shownBy: readonly string[]
}

const row = (must: string, ...shownBy: readonly string[]): Requirement => ({ must, shownBy })

export const requirements: readonly Requirement[] = [
  row('Any order of commands on any payment agrees with the reference model of the state table.', 'model'),
  row('kill -9 at each durable step of what moves money leaves exactly one effect and a final status.', 'crash-points'),
  row('Random kill -9 under load: our payments = the acquirer’s ledger = the callbacks received.', 'crash-load'),
  row('An answer that is dropped, late or doubled is asked about; nothing is sent again.', 'lost-reply'),
  row('Commands at the same moment never refund or capture more than there is.', 'races'),
  row('One key or order has one effect and one answer, also after a crash; another body is refused.', 'idempotency'),
  row('Postings sum to zero after every step, and the database refuses what the rules forbid.', 'ledger'),
  row('Each event reaches a failing receiver at least once, in order, and verifies on its raw body.', 'callbacks'),
  row('Every wrong wallet token gets its documented refusal, and never a failure of ours.', 'wallet-negative'),
  row('Published wallet tokens verify and decrypt at their own time.', 'wallet-vectors'),
  row('Card numbers and codes are found nowhere that the gateway writes, and no code in memory.', 'pan-canary'),
  row('Every due date of years of plans fires exactly once.', 'schedule-clock'),
  row('Every ISO 4217 exponent goes through form, JSON, database and connector unchanged.', 'money'),
  row('Paused processes, lost databases, full disks and clock jumps under load orphan nothing.', 'chaos'),
  row('Half an hour at 70 % of the maximum: memory, descriptors, connections and open rows stay level.', 'soak'),
  row(
    'Spoilt forms, JSON, queries, headers, files, keys and tokens crash nothing and answer no 5xx.',
    'fuzz',
    'wallet-fuzz',
  ),
  row('Every endpoint × every role × another tenant’s ids: nothing is told or changed that may not be.', 'authz'),
  row('An upgrade under load fails no request, and the previous release goes on serving.', 'upgrade'),
  row('The page is accessible, works by keyboard and in every language, within CSP, SRI and its byte budget.', 'page'),
  row('No address that a merchant names leads into the private network.', 'ssrf'),
  row(
    'A request held back before execution is never sent twice, whatever dies or however clocks are off.',
    'slow-queue',
  ),
  row('A failing database leader loses nothing that was acknowledged.', 'failover'),
  row('After a restore nothing fires until the acquirers were asked, and then our record is theirs.', 'restore'),
  row('Five times the maximum load: a bounded queue, fair shares, and nothing lost.', 'overload'),
  row('Every planted fault in code of money and security is noticed by a test.', 'mutants'),
  row('Crashes, lost replies and races hold over every stand-in of an acquirer.', 'acquirers'),
  row('Limits and retry budgets are never exceeded, and no room is left unused.', 'limits'),
  row('Routing by approval rate finds the better MID, and follows when rates swap.', 'routing-learning'),
]
