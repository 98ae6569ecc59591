/** The server of a preview: the session is embedded in the page, and nothing is sent. */
import type { PageServer } from './call.ts'
import { readSession } from './read-answers.ts'

export function previewServer(sample: string): PageServer {
  const session = readSession(JSON.parse(sample))
  return {
    session: () => Promise.resolve(session),
    pay: () =>
      Promise.resolve({
        result: 'success',
        payment_id: '',
        redirect: null,
        confirmation: null,
        decline_message: null,
        same_card: false,
        declines_left: null,
      }),
    state: () => Promise.reject(new Error('Nothing is ever under way.')),
    now: () => Promise.reject(new Error('Nothing is ever under way.')),
    cancelStep: () => Promise.reject(new Error('Nothing is ever under way.')),
    close: () => Promise.resolve(null),
    walletSession: () => Promise.reject(new Error('There are no wallets.')),
    walletMissing: () => Promise.reject(new Error('There are no wallets.')),
    countries: () => Promise.resolve([]),
  }
}
