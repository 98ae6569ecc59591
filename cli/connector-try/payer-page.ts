/** Where the operator's browser begins and ends the acquirer's 3-D Secure: a server on this machine. */
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '#server/connectors/connector.ts'

type PayerStep = Extract<Outcome, { readonly result: 'payer-step' }>
type Fields = Readonly<Record<string, string>>

export interface PayerPage extends AsyncDisposable {
  readonly returnUrl: string
  /** Shows the address to open, and waits for the browser to come back; null if it did not in time. */
  authenticate(step: PayerStep): Promise<Fields | null>
}

interface PayerPageOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly waitMs: number
  readonly signal: AbortSignal
  readonly announce: (address: string) => void
}

export async function openPayerPage({ port, waitMs, signal, announce }: PayerPageOptions): Promise<PayerPage> {
  let step: PayerStep | null = null
  let resumeTrial: (fields: Fields) => void = () => undefined
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (pathname === '/step' && step !== null) return response.end(formOf(step))
    if (pathname !== '/return') return response.writeHead(404).end()
    response.end('<!doctype html><title>Done</title><p>You can close this page.</p>')
    resumeTrial({ ...Object.fromEntries(searchParams), ...(await readFormFields(request)) })
  })
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(port, '127.0.0.1', listening)
  })
  const bound = server.address()
  const here = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : port}`
  return {
    returnUrl: `${here}/return`,
    authenticate: async (begun) => {
      step = begun
      const returned = new Promise<Fields>((resolve) => {
        resumeTrial = resolve
      })
      announce(begun.method === 'GET' ? begun.url : `${here}/step`)
      const waited = new AbortController()
      const ended = AbortSignal.any([signal, waited.signal])
      const late = sleep(waitMs, null, { signal: ended }).catch(() => null)
      const fields = await Promise.race([returned, late])
      waited.abort()
      return fields
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

async function readFormFields(request: IncomingMessage): Promise<Fields> {
  if (request.method !== 'POST') return {}
  return Object.fromEntries(new URLSearchParams(await text(request)))
}

/** For a step that begins with a form: the browser posts it to the acquirer. */
function formOf({ url, params }: PayerStep): string {
  const inputs = Object.entries(params).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return `<!doctype html><title>3-D Secure</title><form method="post" action="${escapeHtml(url)}">${inputs.join('')}<button>Continue</button></form>`
}

const escapeHtml = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
