/** Sends queued mail at least once: if a process dies between sending and removing, the message is sent again. Chapter 40 §6. */

import type { Clock, Ids, Log } from '../contracts/ports.ts'
import type { MailSender, QueuedMail, QueuedMails } from '../mail/mail.ts'
import { type DueWork, runDueWork } from './due-work.ts'
import { nextSend } from './next-send.ts'

interface MailOptions {
  readonly rows: QueuedMails
  readonly mail: MailSender
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Above the duration of one message, so that a lease expires only if its process is dead. */
const leaseSeconds = 120
const pollMs = 2000

export function runMails(options: MailOptions): DueWork {
  const { rows, mail, clock, ids, log } = options
  return runDueWork({
    name: 'mail',
    claim: (limit) => rows.claim(clock.now(), limit, leaseSeconds),
    run: (queued) => deliver(options, queued),
    concurrency: 2,
    pollMs,
    ids,
    log,
    close: () => mail.close(),
  })
}

async function deliver({ rows, mail, clock, log }: MailOptions, queued: QueuedMail): Promise<void> {
  try {
    await mail.send(queued)
  } catch (error) {
    const nextAt = nextSend(queued.attempts, clock.now())
    // The address is personal data and is not logged.
    log.warn({ err: error, attempts: queued.attempts + 1 }, nextAt === null ? givenUp : 'A mail could not be sent.')
    if (nextAt !== null) return rows.postpone(queued.id, nextAt)
  }
  await rows.remove(queued.id)
}

const givenUp = 'A mail could not be sent after all attempts and was dropped. Open alerts are mailed again.'
