/** `logs`: why requests were refused, read from the admin API with the key of a service account. */
import type { Program } from './program.ts'
import type { Settings } from './settings.ts'
import { UsageError } from './usage-error.ts'

interface Refused {
  readonly requestId: string
  readonly at: string
  readonly mode: string
  readonly action: string | null
  readonly orderId: string | null
  readonly checks: readonly { readonly title: string; readonly result: 'passed' | 'refused' | 'not checked' }[]
  readonly refusal: {
    readonly http: number
    readonly code: number
    readonly message: string
    readonly violations: readonly { readonly param: string | null; readonly text: string }[]
    readonly hash: { readonly formula: string; readonly text: string; readonly mistake: string | null } | null
  }
}

type Search = Readonly<Record<'requestId' | 'orderId' | 'paymentId' | 'limit', string | undefined>>

export async function printLogs(settings: Settings, { out }: Program, search: Search): Promise<void> {
  const wishes = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const reply = await fetch(
    `${settings.adminUrl}/admin/api/refused-requests?${new URLSearchParams(wishes).toString()}`,
    {
      headers: { authorization: `Bearer ${settings.required('GATEHOUSE_SERVICE_KEY')}`, accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(answerWithinMs),
    },
  )
  if (reply.status === 401 || reply.status === 403)
    throw new UsageError(
      'The key of the service account is not valid here, has expired, or its role may not read payments.',
    )
  if (!reply.ok) throw new Error(`The admin API answered HTTP ${reply.status}: ${(await reply.text()).slice(0, 200)}`)
  const { requests }: { readonly requests: readonly Refused[] } = JSON.parse(await reply.text())
  if (requests.length === 0) out('No refused request was found; an accepted one is not stored.')
  for (const request of requests) out(explanationOf(request))
}

const answerWithinMs = 20_000
const marks = { passed: '✔', refused: '✖', 'not checked': '·' } as const

function explanationOf({ requestId, at, mode, action, orderId, checks, refusal }: Refused): string {
  const reasons = refusal.violations.map(({ param, text }) => `    ${param === null ? text : `${param}: ${text}`}`)
  const { hash } = refusal
  return [
    `${at}  ${action ?? 'request'} of order ${orderId ?? '-'} (${mode}), request ${requestId}`,
    `HTTP ${refusal.http}, ${refusal.code} ${refusal.message}`,
    ...checks.flatMap(({ title, result }) => [`${marks[result]} ${title}`, ...(result === 'refused' ? reasons : [])]),
    ...(hash
      ? [`formula  ${hash.formula}`, `text     ${hash.text}`, hash.mistake ?? 'Compare the password and every value.']
      : []),
    '',
  ].join('\n')
}
