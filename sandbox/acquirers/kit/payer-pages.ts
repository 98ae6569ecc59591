/** The page on which the payer approves or declines, as an acquirer's 3-D Secure or a redirect shows it. */
import { isObject } from '#domain/json.ts'
import { languageFor } from '../../kit/language.ts'
import { askPayer, type PaymentShown, tellPayer } from '../../kit/payer-page.ts'
import { seeOther } from '../../kit/reply.ts'
import type { Routes } from '../../kit/routes.ts'

interface PayerPages {
  /** Undefined if the key leads to no payment. Once decided, `returnUrl` is where the payer goes at once. */
  readonly find: (key: string) => { readonly payment: PaymentShown; readonly returnUrl: string | null } | undefined
  /** Returns the address to which the payer goes back. */
  readonly decide: (key: string, decision: 'approve' | 'decline') => Promise<string>
}

/** Below `/pages/:key`; the key is secret, since it decides the payment. */
export const payerPages = ({ find, decide }: PayerPages): Routes => [
  [
    'GET /pages/:key',
    async ({ parameters: [key = ''], languages }) => {
      const language = languageFor(languages)
      const found = find(key)
      if (!found) return tellPayer(404, language, 'invalid')
      if (found.returnUrl !== null) return seeOther(found.returnUrl)
      const buttons = (['approve', 'decline', 'leave'] as const).map((text) => ({ text, name: 'decision' }))
      return askPayer(language, found.payment, [{ action: null, method: 'post', fields: {}, buttons }])
    },
  ],
  [
    'POST /pages/:key',
    async ({ parameters: [key = ''], languages, body }) => {
      const language = languageFor(languages)
      const found = find(key)
      if (!found) return tellPayer(404, language, 'invalid')
      if (found.returnUrl !== null) return seeOther(found.returnUrl)
      const decision = isObject(body) ? body.decision : undefined
      if (decision === 'leave') return tellPayer(200, language, 'left')
      if (decision !== 'approve' && decision !== 'decline') return tellPayer(400, language, 'invalid')
      return seeOther(await decide(key, decision))
    },
  ],
]
