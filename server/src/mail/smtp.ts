/** Mail by SMTP. A server that is silent is given up soon: the message waits in its queue, and nothing waits for it. */
import { createTransport } from 'nodemailer'
import { limits } from '#domain/limits.ts'
import type { Secret } from '#domain/secret.ts'
import type { Mail } from './mail.ts'

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with name and password where the server asks for them. */
  readonly url: Secret<string>
  readonly from: string
}

export function smtpMail({ url, from }: SmtpOptions): Mail {
  const { waitMs } = limits.mail
  const transport = createTransport({
    url: url.reveal(),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // Texts are ours, and still nothing in them may make the sender read a file or ask an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text }) => {
      // As an object the address is taken as it is, and not as a list that a comma could lengthen.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}
