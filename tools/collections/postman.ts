/** The samples as a collection for Postman, format 2.1. */
import { apmSamples } from '../samples/apm-samples.ts'
import { cardSamples } from '../samples/card-samples.ts'
import { checkoutSamples } from '../samples/checkout-samples.ts'
import { formEntries, type Sample, type SampleFields } from '../samples/sample.ts'
import { type ClientCalls, signScript } from './sign-script.ts'

const calls: ClientCalls = {
  reading: [
    'const fill = (text) => pm.variables.replaceIn(text)',
    "const body = pm.request.body.mode === 'raw' ? JSON.parse(fill(pm.request.body.raw)) : null",
    'const inBody = (path) => path.split(".").reduce((inner, name) => inner?.[name], body)',
    'const inForm = (name) => pm.request.body.urlencoded.get(name)',
    'const field = (path) => { const text = body ? inBody(path) : inForm(path); return text === undefined || text === null ? undefined : fill(String(text)) }',
  ],
  set: (name, expression) => `pm.variables.set('${name}', ${expression})`,
}

export function postmanCollection(): string {
  const collection = {
    info: {
      name: 'Gatehouse',
      description: 'Set base_url, key and password. Requests sign themselves; run each folder from top to bottom.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    variable: [
      { key: 'base_url', value: 'http://127.0.0.1:8080' },
      { key: 'key', value: '' },
      { key: 'password', value: '' },
    ],
    item: [
      { name: 'S2S CARD', item: cardSamples.map(itemOf) },
      { name: 'S2S APM', item: apmSamples.map(itemOf) },
      { name: 'Checkout', item: checkoutSamples.map(itemOf) },
    ],
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function itemOf(sample: Sample): object {
  const script = signScript(sample, calls)
  return {
    name: sample.title,
    event: [
      ...(script.length > 0 ? [eventOf('prerequest', script)] : []),
      eventOf('test', [
        'const answer = pm.response.json()',
        "pm.test('HTTP 200', () => pm.response.to.have.status(200))",
        ...Object.entries(sample.answer).map(
          ([name, value]) => `pm.test('${name} is ${value}', () => pm.expect(answer.${name}).to.equal('${value}'))`,
        ),
        ...Object.entries(sample.keeps ?? {}).map(
          ([variable, name]) => `pm.collectionVariables.set('${variable}', answer.${name})`,
        ),
      ]),
    ],
    request: {
      method: sample.method ?? 'POST',
      header: [
        ...(sample.encoding === 'json' ? [{ key: 'content-type', value: 'application/json' }] : []),
        ...Object.entries(sample.headers ?? {}).map(([key, value]) => ({ key, value })),
      ],
      url: `{{base_url}}${sample.path}`,
      body: bodyOf(sample),
    },
  }
}

const eventOf = (listen: string, exec: readonly string[]): object => ({
  listen,
  script: { type: 'text/javascript', exec },
})

function bodyOf(sample: Sample): object {
  const fields = signedFields(sample)
  if (sample.encoding === 'json') return { mode: 'raw', raw: JSON.stringify(fields, null, 2) }
  return { mode: 'urlencoded', urlencoded: formEntries(fields).map(([key, value]) => ({ key, value })) }
}

/** With variables in place of key and hash. */
export function signedFields({ fields, keyName, formula }: Sample): SampleFields {
  const { action, ...others } = fields
  return {
    ...(action === undefined ? {} : { action }),
    ...(keyName === null ? {} : { [keyName]: '{{key}}' }),
    ...others,
    ...(formula === null ? {} : { hash: '{{hash}}' }),
  }
}
