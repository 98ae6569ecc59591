/** Runs requests of the Bruno collection with their own scripts and assertions, offering these the part of Bruno's API that they use. */
import assert from 'node:assert/strict'
import { runInNewContext } from 'node:vm'
import { digests } from './run-postman.ts'

type Variables = Map<string, string>

interface BrunoRequest {
  readonly name: string
  readonly position: number
  readonly url: string
  /** Lines of each block by its name, without their indentation. */
  readonly blocks: ReadonlyMap<string, readonly string[]>
}

export function readBruno(text: string): BrunoRequest {
  const blocks = new Map(
    [...text.matchAll(/^([a-z:-]+) \{\n([\s\S]*?)^\}$/gm)].map(([, name = '', inside = '']) => [name, linesOf(inside)]),
  )
  const about = new Map(pairsIn(blocks, 'meta'))
  const url = pairsIn(blocks, methodOf(blocks)).find(([name]) => name === 'url')?.[1]
  assert.ok(url, text)
  return { name: about.get('name') ?? '', position: Number(about.get('seq')), url, blocks }
}

const linesOf = (inside: string): readonly string[] =>
  inside
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(2))

type Blocks = BrunoRequest['blocks']

const pairsIn = (blocks: Blocks, name: string): readonly (readonly [name: string, value: string])[] =>
  (blocks.get(name) ?? []).map((line) => {
    const colon = line.indexOf(': ')
    return [line.slice(0, colon), line.slice(colon + 2)]
  })

const methodOf = (blocks: Blocks): string => ['post', 'put', 'get'].find((name) => blocks.has(name)) ?? 'post'

/** Sends the request as its script has prepared it, and throws if one of its own assertions fails. */
export async function runBruno({ name, url, blocks }: BrunoRequest, variables: Variables): Promise<void> {
  const fill = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (whole, one: string) => variables.get(one) ?? whole)
  const bru = {
    setVar: (one: string, value: string) => void variables.set(one, value),
    getVar: (one: string) => variables.get(one),
    getEnvVar: () => undefined,
  }
  const run = (block: string, offered: object): void => {
    const code = (blocks.get(block) ?? []).join('\n')
    runInNewContext(code, { bru, require: () => digests, unescape, encodeURIComponent, ...offered }, { filename: name })
  }
  const form = blocks.has('body:form-urlencoded') ? pairsIn(blocks, 'body:form-urlencoded') : null
  const json = (blocks.get('body:json') ?? []).join('\n')
  const prepared = form ? form.map(([field, value]) => ({ name: field, value })) : json
  run('script:pre-request', { req: { getBody: () => prepared } })

  const reply = await fetch(fill(url), {
    method: methodOf(blocks).toUpperCase(),
    headers: {
      ...(form ? {} : { 'content-type': 'application/json' }),
      ...Object.fromEntries(pairsIn(blocks, 'headers').map(([header, value]) => [header, fill(value)])),
    },
    body: form ? new URLSearchParams(form.map(([field, value]): [string, string] => [field, fill(value)])) : fill(json),
  })
  const text = await reply.text()
  const body: unknown = JSON.parse(text)
  for (const [subject, rule] of pairsIn(blocks, 'assert'))
    assert.equal(
      `eq ${String(valueAt({ res: { status: reply.status, body } }, subject))}`,
      rule,
      `${name}, ${subject}: ${text}`,
    )
  run('script:post-response', { res: { getBody: () => body } })
}

const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, name) => Object.entries(Object(inner)).find(([member]) => member === name)?.[1], value)
