/** Mail by SMTP. A server that does not answer is given up after a short time: the message stays in its queue and is sent again later. */
import { limits } from '#domain/limits.ts'
import type { Secret } from '#domain/secret.ts'
import type { MailSender } from './mail.ts'

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user name and password if the server requires them. */
  readonly url: Secret<string>
  readonly from: string
}

export function smtpMail({ url, from }: SmtpOptions): MailSender {
  const transport = openTransport(url)
  // A failure is thrown again by the first `send`.
  transport.catch(() => undefined)
  return {
    send: async ({ to, subject, text, attachment }) => {
      const attachments =
        attachment === undefined
          ? []
          : [{ filename: attachment.name, contentType: attachment.type, content: attachment.content }]
      // As an object the address is used as is, and not parsed as a list that a comma could extend.
      await (await transport).sendMail({ from, to: { name: '', address: to }, subject, text, attachments })
    },
    close: () =>
      void transport.then(
        (opened) => opened.close(),
        () => undefined,
      ),
  }
}

async function openTransport(url: Secret<string>) {
  // Only processes that send mail load it: it takes a tenth of the time that a process needs to start.
  const { createTransport } = await import('nodemailer')
  const { waitMs } = limits.mail
  return createTransport({
    url: url.reveal(),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    // The texts are ours; still, nothing in them may make the sender read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
