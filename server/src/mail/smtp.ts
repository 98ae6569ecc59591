/** Mail by SMTP. A silent server is abandoned soon: the message waits in its queue, and nothing waits for it. */
import { createTransport } from 'nodemailer'
import { limits } from '#domain/limits.ts'
import type { Secret } from '#domain/secret.ts'
import type { Mail } from './mail.ts'

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user name and password if the server requires them. */
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
    // The texts are ours; still, nothing in them may make the sender read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text }) => {
      // As an object the address is used as is, and not parsed as a list that a comma could extend.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}
