/**
 * A merchant's own page with hosted fields, on another site than the gateway, and with the strictest policy that the documentation allows.
 * `window.log` has the events of the page, and `window.heard` every message to its window.
 */
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { portOf } from '../hosts/port-of.ts'

/** The page and the server of the documentation, as a merchant would copy them. */
interface Sample {
  /** The page for a session. */
  page(clientToken: string): string
  /** What the server does for POST /pay. */
  pay(body: unknown): Promise<unknown>
}

interface FieldsFront {
  readonly url: string
  stop(): Promise<void>
}

const page = (gateway: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title></head>
<body><main><h1>Shop</h1>
<form>
<p>Card number</p><div id="c"></div>
<p>Expiry</p><div id="e"></div>
<p>Code</p><div id="v"></div>
<button type="button" id="pay">Pay</button>
</form></main>
<script src="${gateway}/sdk/hosted-fields.js"></script>
<script src="/merchant.js"></script>
</body></html>`

const script = `
window.log = []
window.heard = []
addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
window.fields = new HostedFields()
for (const name of ['card', 'expiry', 'cvv']) {
  fields[name + 'On'].input = (data) => log.push([name, 'input', data])
  fields[name + 'On'].focus = () => log.push([name, 'focus'])
  fields[name + 'On'].blur = () => log.push([name, 'blur'])
}
fields.onSubmitResult = (data) => log.push(['result', data])
document.getElementById('pay').onclick = () => fields.collectIframesData()
`

export async function startFieldsFront(gateway: string, sample: Sample): Promise<FieldsFront> {
  const policy = `default-src 'none'; script-src 'self' ${gateway}; frame-src ${gateway}`
  const server = createServer((request, response) => {
    const [path, query = ''] = (request.url ?? '/').split('?')
    // The page of the documentation has its script inline, so it is served without the policy.
    if (path === '/sample') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(`<!doctype html><html lang="en"><title>Shop</title>${sample.page(query)}</html>`)
      return
    }
    if (path === '/pay') {
      void json(request)
        .then((body) => sample.pay(body))
        .then((answer) => response.end(JSON.stringify(answer)))
      return
    }
    const isScript = path === '/merchant.js'
    response.writeHead(path === '/' || path === '/return' || isScript ? 200 : 404, {
      'content-type': isScript ? 'text/javascript' : 'text/html; charset=utf-8',
      'content-security-policy': policy,
    })
    response.end(isScript ? script : path === '/' ? page(gateway) : '<!doctype html><title>Back</title><h1>Back</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  return {
    url: `http://localhost:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
