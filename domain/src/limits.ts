/**
 * Every number of the interface and every wait that we chose ourselves ("Ours"), each with its source.
 *
 * Code that needs a number imports it from here, so that a reader finds all bounds on one page and a change is one line. A
 * setting that an operator may change (rate, retry plan, declines) has its default here and its bounds beside it.
 *
 * What is deliberately not here: formats (a UUID, a card number) belong to the code that reads them, exponents of
 * currencies to `currencies.ts`.
 */
import { hourMs as hour, minuteMs as minute, secondMs as second } from './time.ts'

const kibibyte = 1024

// biome-ignore format: a table is read in columns.
export const limits = freeze({
  /** One HTTP request, on every protocol. */
  request: {
    bodyBytes:            256 * kibibyte,  // Chapter 10 §1.1; above it 413.
    nestingDepth:         8,               // Chapter 10 §1.1; above it 413.
    parameters:           400,             // Chapter 10 §1.1; above it 413.
    customDataBytes:      8 * kibibyte,    // Chapter 10 §1.1, after decoding.
    parameterValueLength: 1024,            // Chapter 10 §1.1, one value inside `parameters`.
  },

  /** Per merchant key. */
  rate: {
    perSecond:            200,             // Chapter 10 §1.1; configurable.
    burst:                400,             // Chapter 10 §1.1; configurable.
    failedDivisor:        10,              // Chapter 10 §1.3: failed hashes and unknown entities, per key and address.
  },

  /** When requests are refused because the instance is busy. Ours; decisions/overload#admission-control. */
  overload: {
    waitMs:               second,          // The longest wait in the queue; configurable.
    openRequests:         4096,            // From the first byte to the end of the answer, all merchants together.
    connections:          4096,            // Of callers, also idle ones; configurable.
    leastWaiting:         4,               // Of one merchant, however slow the instance is.
    leastConcurrent:      4,               // Worked on at the same time, however slow the instance is.
    insideHighMs:         400,             // A mean time inside above it lowers how many are worked on at the same time,
    insideLowMs:          250,             // and one below it raises that again.
    windowMs:             500,             // Over which both are measured.
    firstGuessPerSecond:  100,             // Finished requests, until the first busy window has been measured.
    sweepMs:              50,              // How often requests that have waited too long are removed from the queue.
    retryAfterSeconds:    3,               // `Retry-After` is spread from 1 to this.
    firstByteMs:          minute,          // Ours: a connection on which the caller has sent nothing is closed.
    silentConnectionMs:   3 * minute,      // Without a byte in either direction; longer than any answer takes.
    logEveryMs:           10 * second,     // One log line while requests are refused.
  },

  idempotency: {
    keyLength:            255,             // Chapter 10 §1.4.
    keptMs:               24 * hour,       // Chapter 10 §1.4.
    leaseMs:              minute,          // Ours: a living process renews its lease; the key of a dead one is free after this time.
  },

  /** A write that is repeated because another process changed the record in between. */
  currentWrite: { tries: 5 }, // Ours: only a few writers meet on one record.

  /** How long an answer waits for the acquirer; afterwards the outcome is unknown, never a decline. */
  acquirer: {
    waitMs:               30 * second,     // Chapter 10 §1.1, chapter 20 §1.
    checkoutWaitMs:       15 * second,     // Chapter 30 §4.1: deployed clients give up after 20 s.
  },

  /** When the reconciler asks about a transaction left open: at once after a restart, then after these waits. */
  reconcile: {
    afterSeconds:         [0, 5, 30, 120, 600, 3600, 21_600, 86_400],            // Chapter 10 §6.2, chapter 50 §5.
    // Chapter 60 §3: a reversal that was not acknowledged is repeated so often, while the transaction is younger than that.
    reversals: [
      { youngerThanMs: 2 * hour, everyMs: 5 * minute },
      { youngerThanMs: 24 * hour, everyMs: hour },
    ],
  },

  /** When the acquirer is queried about a transaction that was written off, counted from its end. */
  watch: {
    afterSeconds:         [60, 600, 3600, 21_600, 86_400, 259_200],              // Ours.
    retryAfterMs:         7 * hour,        // Ours: a plan's automatic retry waits for the queries of the first hours.
    againMs:              minute,          // Ours: until the next try, when another command blocks the reversal of the charge.
  },

  callback: {
    timeoutMs:            10 * second,     // Chapter 10 §11.1.
    retrySeconds:         [60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400], // Chapter 10 §11.1: ten attempts.
    retryPlanSeconds:     30 * 86_400,     // Chapter 10 §11.1: a plan of the merchant's own ends within 30 days.
    retryPlanEntries:     100,             // Ours: a list has a limit.
    blockAfterTimeouts:   5,               // Chapter 10 §11.1, "Blocked URL".
    blockWindowMs:        5 * minute,      // Chapter 10 §11.1, "Blocked URL".
    blockedMs:            15 * minute,     // Chapter 10 §11.1, "Blocked URL".
    gatherMs:             20,              // Ours: a result waits this long to be stored with those of deliveries under way.
  },

  requestSignature: { toleranceSeconds: 300, idLength: 64 }, // Chapter 10 §4.6: as for callbacks; ours.
  /** The events feed. */
  events: {
    page:                 500,             // Ours: callbacks of one answer.
    keptMs:               30 * 24 * 60 * minute, // Ours: as long as the longest retry plan.
    marginMs:             60 * minute,     // Ours: transactions may write their identifiers in another order.
  },

  /** Refused requests that developers can look at: the newest, written together; more are dropped. Ours; decisions/requests#refused-requests. */
  refusedRequests: { ofMerchant: 200, keptMs: 7 * 24 * hour, collectMs: 200, perBatch: 100, ofMerchantPerBatch: 10 },
  replica: { behindSeconds: 60, answerMs: 2 * second, lookAgainMs: 5 * second }, // Ours: of a standby for the panel's reports.
  policyReports: { most: 200, keptMs: 90 * 24 * hour, perSecond: 1, burst: 20 }, // Ours: different reports of browsers, and of one process.
  redirect: {
    expiryMs:             30 * minute,     // Chapter 10 §6, "Redirect expires".
    memoryStorageMs:      10 * minute,     // Chapter 10 §8.2.
    pastSessionMs:        15 * minute,     // Chapter 30 §6.3: one-time keys outlive the session by this.
  },

  cascade: {
    attempts:             3,               // Chapter 50 §4, unless the rule says otherwise.
    attemptsAtMost:       5,               // Chapter 50 §4, whatever the rule says.
  },

  /** Routing rules. */
  routing: {
    rules:                200,             // Ours: of one set.
    conditions:           20,              // Ours: of one rule.
    listed:               500,             // Ours: values, ranges or MIDs of one condition or action.
    rulesExplained:       20,              // Ours: stored with a payment.
    replayDays:           90,              // Ours.
    replayPage:           200,             // Ours: payments of one step of a replay.
    replayPayments:       100_000, replayHistory: 50_000, // Ours: of one replay; in the windows of velocity of one step.
  },

  /** Tries that a network grants one card, RETRY and cascade together; an operator may change them. */
  retryBudget: {
    visa:                 [{ tries: 20, withinMs: 30 * 24 * hour }],                                     // Chapter 50 §4.
    mastercard:           [{ tries: 10, withinMs: 24 * hour }, { tries: 35, withinMs: 30 * 24 * hour }], // Chapter 50 §4.
  },

  /** The circuit breaker of a MID. Chapter 50 §4 names it; the numbers are ours. */
  breaker: {
    windowMs:             minute,          // Ours: failures are counted over this time.
    attempts:             20,              // Ours: fewer exchanges in the window say too little.
    failureRate:          0.5,             // Ours: it opens at this share of failures.
    coolDownMs:           30 * second,     // Ours: no payment is sent for so long, then probes are.
    probeEveryMs:         2 * second,      // Ours: between two probes of one process.
    probesToClose:        3,               // Ours: it closes after so many in a row went well.
  },

  /** The counts of acquirers' answers. */
  midHealth: {
    shareMs:              second,          // Ours: how often processes exchange their counts.
    windowMinutes:        24 * 60,         // Ours: the longest window of an approval rate; older answers are forgotten.
    settlingMinutes:      2,               // Ours: for so long after a minute other processes may still add to it.
    purgeMs:              10 * minute,     // Ours: how often forgotten answers are removed.
  },

  /** When an acquirer's notifications have stopped: decisions/notifications#silence. */
  notificationSilence: {
    newest:               50,              // Ours: notifications whose gaps tell what is usual.
    gapsLow:              4,               // Ours: fewer gaps say too little.
    factor:               3,               // Ours: times the longest gap.
    shortestMs:           15 * minute,     // Ours: acquirers deliver late by minutes now and then.
    approvals:            3,               // Ours: fewer approved payments since the last one say too little.
  },

  wallet: {
    tokenMinutes:         5,               // Chapter 10 §7.1.10: signing time, either side of now.
    tokenMinutesLow:      1,               // Chapter 10 §7.1.10: bounds of that setting.
    tokenMinutesHigh:     60,              // Chapter 10 §7.1.10.
    tokenBytes:           32 * kibibyte,   // Chapter 20 §5.4.
    processingKeys:       2,               // Chapter 40 §3: active at a time.
    domains:              99,              // Chapter 40 §8, "Limit".
    expiryAlertDays:      [60, 30, 14, 7, 3, 1],                                 // Chapter 50 §5.
    retiringMs:           7 * 24 * hour,   // Chapter 40 §5: how long the old key decrypts after a promotion.
    retiringMsLow:        hour,            // Chapter 40 §5.
    retiringMsHigh:       60 * 24 * hour,  // Chapter 40 §5.
    unmatchedAlert:       3,               // Chapter 40 §6, "key match": genuine tokens for no active key, in an hour.
    keysValidMs:          7 * 24 * hour,   // Chapter 40 §6, "root watch": fewer is an alert.
    keyListAgainMs:       minute,          // Ours: a token signed by an unknown root makes us ask again, so often at most.
    keyListPauseMs:       5 * second,      // Ours: after a failure, with no usable list at all.
    keyListWaitMs:        5 * second,      // Ours.
    keyListBytes:         256 * kibibyte,  // Ours.
    fileBytes:            64 * kibibyte,   // Chapter 40 §8, "Uploaded file".
    domainWaitMs:         10 * second,     // Chapter 40 §8, "Check".
    domainNewMs:          15 * minute,     // Chapter 40 §8, "Plan": between checks until verified.
    domainNewForMs:       24 * hour,       // Chapter 40 §8, "Plan".
    domainLaterMs:        6 * hour,        // Chapter 40 §8, "Plan": after that.
    domainVerifiedMs:     24 * hour,       // Chapter 40 §8, "Plan".
    domainFailingMs:      hour,            // Chapter 40 §8, "Plan".
    domainSuspendedMs:    72 * hour,       // Chapter 40 §8, "Consequence": without success.
    sessionWaitMs:        10 * second,     // Chapter 40 §16, step 4.
    sessionBytes:         64 * kibibyte,   // Ours.
    refusedKeptMs:        90 * 24 * hour,  // Chapter 40 §15.
    recentTokens:         100,             // Chapter 40 §4.2, "Check now".
    alertAgainMs:         24 * hour,       // Chapter 40 §6.
  },

  mail: {
    waitMs:               20 * second,     // Ours: for each step of the exchange with the mail server.
    retrySeconds:         [60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 86_400],  // Ours: about three days.
  },

  checkout: {
    sessionMinutes:       60,              // Chapter 30 §3.2.
    sessionMinutesLow:    1,               // Chapter 30 §3.2.
    sessionMinutesHigh:   720,             // Chapter 30 §3.2.
    declines:             3,               // Chapter 30 §7.8, "Maximum count of declines".
    declinesLow:          1,               // Chapter 30 §7.8.
    declinesHigh:         20,              // Chapter 30 §7.8.
    attemptsPerSession:   10,              // Chapter 30 §7.8.
    declinesPerAddress:   30,              // Chapter 30 §7.8, in an hour, unless the mapping says otherwise.
    declinesPerAddressHigh: 10_000,        // Ours: above it the limit protects from nothing.
    cardTokens:           20,              // Chapter 30 §3.2.
    stateWaitMs:          25 * second,     // Chapter 30 §7.10: how long a question for the state is held.
    codeKeptMs:           15 * minute,     // Ours: a collected code that no attempt used is forgotten.
    formBytes:            5 * 1024 * kibibyte, // Chapter 30 §9.4.
    statusSizeLow:        1,               // Chapter 30 §4.2.
    statusSizeHigh:       100,             // Chapter 30 §4.2.
  },

  schedule: {
    nameLength:           100,             // Chapter 10 §7.11.
    intervalLength:       999,             // Chapter 10 §7.11, from 1.
    paymentsCount:        9999,            // Chapter 10 §7.11, from 1.
  },

  /** Waits of the workers, on the clock that schedules follow. */
  worker: {
    planAgainMs:          15 * minute,     // Ours: until a plan payment that no MID could take is tried again.
    commandAgainMs:       5 * minute,      // Ours: until an automatic command that met another one in flight is tried again.
    reportsEveryMs:       20 * second,     // Ours: how often an acquirer is asked for chargebacks and lapsed holds.
  },

  /** The clock of a machine against the database's. */
  clockSkew: {
    compareMs:            60 * second,     // Ours: how often a process compares.
    offMs:                5 * second,      // Ours: above it the operator is alerted; machines with a time server agree to milliseconds.
    farOffMs:             30 * second,     // Ours: beyond it a process does no due work; as long as the longest answer of an acquirer.
  },

  /** Retention periods that apply unless the operator sets others; `retention.ts` has the table. Chapter 50 §5. */
  retention: {
    cardDays:             30,              // Ours: after the last use of a number that nothing needs any more; refunds and disputes go by the acquirer's reference.
    payerDays:            3 * 365,         // Ours: after the last change of the payment.
    daysLow:              30,              // Ours: below it a refund or dispute of every day would find nothing.
    daysHigh:             7300,            // Ours.
    typedCardMs:          24 * hour,       // Ours: a number in a hosted field, after its session ended.
    sessionMs:            90 * 24 * hour,  // Ours: an unpaid session, after it ended.
    limitCountMs:         100 * 24 * hour, // Ours: above a month, which is the longest period of a limit.
    traceNumberMs:        48 * hour,       // Ours: above the reconciler's plan, whose last reversal is sent after about 31 hours.
    notificationMs:       90 * 24 * hour,  // Ours: above the time for which acquirers repeat a notification.
    restartMs:            90 * 24 * hour,  // Ours: how often records that could not be deleted are checked again.
    batch:                200,             // Ours: rows looked at in one transaction.
  },

  /** Characters (Unicode code points) of one value; the low bound is 1 unless a second number says otherwise. */
  length: {
    identifier:           255,             // Chapter 10 §2, "Identifiers in follow-ups".
    orderId:              255,             // Chapter 10 §2.
    orderDescription:     1024,            // Chapter 10 §2.
    orderDescriptionLow:  2,               // Chapter 30 §3.3, Checkout only.
    channelId:            16,              // Chapter 10 §2.
    brand:                36,              // Chapter 20 §2.
    method:               64,              // Chapter 30 §3.2.
    formId:               64,              // Chapter 30 §3.2.
    cryptoNetwork:        50,              // Chapter 20 §6.1.
    cardNumberLow:        12,              // Chapter 10 §2.
    cardNumber:           19,              // Chapter 10 §2.
    checkoutCardNumberLow: 14,             // Chapter 30 §4.8, §7.3.
    cardCodeLow:          3,               // Chapter 10 §2.
    cardCode:             4,               // Chapter 10 §2.
    cardToken:            64,              // Chapter 10 §2, exactly.
    personName:           32,              // Chapter 10 §7.1.1: first, last and middle name.
    customerName:         255,             // Chapter 30 §3.4, also the payee's name there.
    customerNameLow:      2,               // Chapter 30 §3.4.
    address:              255,             // Chapter 10 §7.1.1.
    houseNumber:          9,               // Chapter 10 §7.1.1.
    state:                32,              // Chapter 10 §7.1.1.
    city:                 40,              // Chapter 10 §7.1.1.
    payeeCity:            32,              // Chapter 10 §7.8, chapter 20 §12.1.
    district:             32,              // Chapter 10 §7.1.1.
    zip:                  10,              // Chapter 10 §7.1.1.
    apmZip:               32,              // Chapter 20 §6.1, SALE.
    email:                256,             // Chapter 10 §2.
    checkoutEmail:        255,             // Chapter 30 §3.4.
    phone:                32,              // Chapter 10 §7.1.1.
    phoneCountryCode:     10,              // Chapter 10 §2.
    ip:                   45,              // Chapter 10 §2.
    returnUrl:            1024,            // Chapter 10 §7.1.1 term_url_3ds, chapter 20 §6.1, chapter 30 §3.2.
    payerReturnUrl:       256,             // Chapter 20 §12.1.
    linkTarget:           1024,            // Chapter 10 §7.1.1.
    callbackUrl:          255,             // Chapter 10 §7.1.1.
    eci:                  2,               // Chapter 10 §7.1.8, exactly.
    authenticationValue:  64,              // Chapter 10 §7.1.8.
    authenticationValueLow: 28,            // Chapter 10 §7.1.8.
    xid:                  64,              // Chapter 10 §7.1.8.
    declineReason:        1024,            // Chapter 30 §4.2.
  },
})

/** Freezes nested lists too, because a caller that changed a bound would change it for every other caller. */
function freeze<const T extends object>(table: T): T {
  for (const value of Object.values(table)) if (typeof value === 'object' && value !== null) freeze(value)
  return Object.freeze(table)
}
