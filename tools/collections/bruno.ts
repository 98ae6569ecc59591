/** The samples as a collection for Bruno: one text file per request. */
import { formEntries, type Sample } from '../samples/sample.ts'
import { samples } from '../samples/samples.ts'
import { signedFields } from './postman.ts'
import { type ClientCalls, signScript } from './sign-script.ts'

const calls: ClientCalls = {
  reading: [
    'const fill = (text) => text.replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => bru.getVar(name) ?? bru.getEnvVar(name) ?? "")',
    'const sent = req.getBody()',
    "const body = typeof sent === 'string' ? JSON.parse(sent) : sent",
    'const inForm = (name) => body.find((one) => one.name === name)?.value',
    'const inBody = (path) => path.split(".").reduce((inner, name) => inner?.[name], body)',
    'const field = (path) => { const text = Array.isArray(body) ? inForm(path) : inBody(path); return text === undefined || text === null ? undefined : fill(String(text)) }',
  ],
  set: (name, expression) => `bru.setVar('${name}', ${expression})`,
}

/** Names of files with their contents. */
export function brunoCollection(): Readonly<Record<string, string>> {
  const requests = samples.map(
    (sample, index) => [`${folderOf(sample)}/${sample.id}.bru`, requestFile(sample, index + 1)] as const,
  )
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name: 'Gatehouse', type: 'collection' }, null, 2)}\n`,
    'environments/sandbox.bru': blockOf('vars', ['base_url: http://127.0.0.1:8080', 'key: ', 'password: ']),
    ...Object.fromEntries(requests),
  }
}

/** A folder per protocol, and one for subscriptions on cards. */
const folderOf = ({ id }: Sample): string =>
  /^card-.*(?:schedule|subscribe|chain|recurring|retry)/.test(id) ? 'card-recurring' : (id.split('-')[0] ?? '')

function requestFile(sample: Sample, position: number): string {
  const method = (sample.method ?? 'POST').toLowerCase()
  const isForm = sample.encoding === 'form'
  const script = signScript(sample, calls)
  const savings = Object.entries(sample.keeps ?? {}).map(
    ([name, member]) => `bru.setVar('${name}', res.getBody().${member})`,
  )
  const tested = Object.entries(sample.answer).map(([name, value]) => `res.body.${name}: eq ${value}`)
  return [
    blockOf('meta', [`name: ${sample.title}`, 'type: http', `seq: ${position}`]),
    blockOf(method, [`url: {{base_url}}${sample.path}`, `body: ${isForm ? 'formUrlEncoded' : 'json'}`, 'auth: none']),
    ...(sample.headers
      ? [
          blockOf(
            'headers',
            Object.entries(sample.headers).map(([name, text]) => `${name}: ${text}`),
          ),
        ]
      : []),
    isForm
      ? blockOf(
          'body:form-urlencoded',
          formEntries(signedFields(sample)).map(([name, text]) => `${name}: ${text}`),
        )
      : blockOf('body:json', JSON.stringify(signedFields(sample), null, 2).split('\n')),
    blockOf('assert', ['res.status: eq 200', ...tested]),
    ...(script.length > 0 ? [blockOf('script:pre-request', script)] : []),
    ...(savings.length > 0 ? [blockOf('script:post-response', savings)] : []),
  ].join('\n')
}

const blockOf = (name: string, lines: readonly string[]): string =>
  `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`
