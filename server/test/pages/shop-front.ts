/**
 * The merchant's own web site in a browser: a page that redirects the payer, the same inside a frame, and the return page. Its host name
 * differs from the gateway's, so that browsers treat the two as different sites.
 */
import { createServer, type ServerResponse } from 'node:http'
import { portOf } from '../hosts/port-of.ts'

export interface Redirect {
  readonly url: string
  readonly method: string
  readonly params: Readonly<Record<string, string>>
}

export interface ShopFront {
  readonly url: string
  /** Has its own query and fragment, which a return must keep. */
  readonly termUrl: string
  /** The browser's first address; `framed` shows everything inside a frame. */
  begin(redirect: Redirect, framed?: boolean): string
  stop(): Promise<void>
}

export async function startShopFront(): Promise<ShopFront> {
  const redirects: Redirect[] = []
  const pages: Readonly<Record<string, (query: URLSearchParams) => string>> = {
    '/send': (query) => formOf(redirects[Number(query.get('n'))]),
    '/frame': (query) => `<iframe title="Payment" width="400" height="600" src="/send?n=${query.get('n')}"></iframe>`,
    '/return': () => '<h1>Welcome back</h1>',
  }
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    write(response, pages[pathname]?.(searchParams))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  const url = `http://localhost:${port}`
  return {
    url,
    termUrl: `${url}/return?basket=7#thanks`,
    begin: (redirect, framed = false) => `${url}/${framed ? 'frame' : 'send'}?n=${redirects.push(redirect) - 1}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function write(response: ServerResponse, body: string | undefined): void {
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
  response.end(`<!doctype html><html lang="en"><title>Shop</title><main>${body ?? 'Nothing here.'}</main></html>`)
}

/** As the merchant is told to do it. Chapter 10 §8.1, steps 3 and 4. */
function formOf(redirect: Redirect | undefined): string {
  if (!redirect) return 'Nobody was sent here.'
  const inputs = Object.entries(redirect.params).map(
    ([name, value]) => `<input type="hidden" name="${attribute(name)}" value="${attribute(value)}">`,
  )
  const form = `<form method="${redirect.method}" action="${attribute(redirect.url)}">${inputs.join('')}<button>Pay</button></form>`
  return `${form}<script>document.forms[0].submit()</script>`
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
