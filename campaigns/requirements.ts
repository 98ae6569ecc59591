/** What must never happen, and the campaigns that show it. The page of evidence follows these rows. */
export interface Requirement {
  readonly must: string
  /** Names of campaigns; a missing one is reported as missing. */
  readonly shownBy: readonly string[]
}

const row = (must: string, ...shownBy: readonly string[]): Requirement => ({ must, shownBy })

export const requirements: readonly Requirement[] = [
  row('Any order of commands on any payment agrees with the reference model of the state table.', 'model'),
  row(
    'kill -9 at each durable step of every money movement leaves exactly one effect and a final status.',
    'crash-points',
  ),
  row('kill -9 of the helper of an acquirer at each step of a payment leaves exactly one effect.', 'helper-points'),
  row('Random kill -9 under load: our payments = the acquirer’s ledger = the callbacks received.', 'crash-load'),
  row('A process at the memory limit of its container ends in good order, and nothing is lost.', 'memory-limit'),
  row('After a lost, late or duplicate answer the gateway polls the acquirer; it never resends.', 'lost-reply'),
  row('Concurrent commands never refund or capture more than is available.', 'races'),
  row('One key or order has one effect and one answer, also after a crash; another body is refused.', 'idempotency'),
  row('Postings sum to zero after every step, and the database refuses what the rules forbid.', 'ledger'),
  row('Each event reaches a failing receiver at least once, in order, and verifies on its raw body.', 'callbacks'),
  row('Every invalid wallet token gets its documented refusal, never a server error.', 'wallet-negative'),
  row('Published wallet tokens verify and decrypt at their own time.', 'wallet-vectors'),
  row(
    'Card numbers and security codes appear in nothing the gateway writes, and no code stays in memory.',
    'pan-canary',
  ),
  row('Every due date of years of plans fires exactly once.', 'schedule-clock'),
  row('Every ISO 4217 exponent goes through form, JSON, database and connector unchanged.', 'money'),
  row('Paused processes, lost databases, full disks and clock jumps under load leave no payment unresolved.', 'chaos'),
  row('Half an hour at 70 % of the maximum: memory, descriptors, connections and open rows stay level.', 'soak'),
  row(
    'Malformed forms, JSON, queries, headers, files, keys and tokens cause no crash and no 5xx.',
    'fuzz',
    'wallet-fuzz',
  ),
  row(
    'Every endpoint × every role × another tenant’s ids: no data is disclosed or changed without permission.',
    'authz',
  ),
  row('An upgrade under load fails no request, and the previous release goes on serving.', 'upgrade'),
  row('The page is accessible, works by keyboard and in every language, within CSP, SRI and its byte budget.', 'page'),
  row('No address given by a merchant reaches the private network.', 'ssrf'),
  row('A request delayed before its execution is never sent twice, despite crashes and wrong clocks.', 'slow-queue'),
  row('A failing database leader loses nothing that was acknowledged.', 'failover'),
  row(
    'After a restore nothing is sent until reconciliation, and then the records match the acquirers’.',
    'restore',
    'point-in-time',
    'cluster-restore',
  ),
  row('Five times the maximum load: a bounded queue, fair shares, and nothing lost.', 'overload'),
  row(
    'A million notifications of an acquirer are stored once each and worked off, and payments go on.',
    'notifications',
  ),
  row('A test detects every planted fault in money and security code.', 'mutants'),
  row('Crashes, lost replies and races are survived with every kind of acquirer.', 'acquirers'),
  row('Limits and retry budgets are never exceeded and are used fully.', 'limits'),
  row('Routing by approval rate finds the better MID, and follows when rates swap.', 'routing-learning'),
]
