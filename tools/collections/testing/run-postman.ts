/** Runs requests of the Postman collection with their own scripts, offering these the part of Postman's API that they use. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { runInNewContext } from 'node:vm'

interface PostmanEvent {
  readonly listen: string
  readonly script: { readonly exec: readonly string[] }
}

interface Pair {
  readonly key: string
  readonly value: string
}

export interface PostmanItem {
  readonly name: string
  readonly event: readonly PostmanEvent[]
  readonly request: {
    readonly method: string
    readonly url: string
    readonly header: readonly Pair[]
    readonly body: { readonly mode: string; readonly raw?: string; readonly urlencoded?: readonly Pair[] }
  }
}

type Variables = Map<string, string>

/** Sends the request as its scripts have prepared it, and throws if one of its own tests fails. */
export async function runItem({ name, event, request }: PostmanItem, variables: Variables): Promise<void> {
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, one: string) => variables.get(one) ?? whole)
  const set = (one: string, value: string): void => void variables.set(one, value)
  const run = (listen: string, pm: object): void => {
    const code = event.find((one) => one.listen === listen)?.script.exec.join('\n') ?? ''
    runInNewContext(code, { pm, require: () => digests, unescape, encodeURIComponent }, { filename: name })
  }
  const { method, url, header, body } = request
  const inForm = (key: string): string | undefined => body.urlencoded?.find((one) => one.key === key)?.value
  const shared = { variables: { set, replaceIn: fill }, collectionVariables: { set } }
  run('prerequest', { ...shared, request: { body: { ...body, urlencoded: { get: inForm } } } })

  const reply = await fetch(fill(url), {
    method,
    headers: Object.fromEntries(header.map(({ key, value }) => [key, fill(value)])),
    body: body.urlencoded
      ? new URLSearchParams(body.urlencoded.map(({ key, value }): [string, string] => [key, fill(value)]))
      : fill(body.raw ?? ''),
  })
  const text = await reply.text()
  run('test', {
    ...shared,
    response: {
      json: () => JSON.parse(text),
      to: { have: { status: (expected: number) => assert.equal(reply.status, expected, `${name}: ${text}`) } },
    },
    test: (_title: string, check: () => void) => check(),
    expect: (value: unknown) => ({
      to: { equal: (expected: unknown) => assert.equal(value, expected, `${name}: ${text}`) },
    }),
  })
}

/** The library that API clients offer to scripts, as far as a signature needs it. */
export const digests = {
  enc: { Latin1: { parse: (text: string) => Buffer.from(text, 'latin1') } },
  MD5: (bytes: Buffer) => createHash('md5').update(bytes).digest('hex'),
  SHA1: (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex'),
}
