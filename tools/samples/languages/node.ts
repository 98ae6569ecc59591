/** A sample as a Node program without dependencies. */
import {
  camelCase,
  formPairs,
  freshOrder,
  type HashFunction,
  type PlannedMembers,
  type PlannedValue,
  type ProgramPlan,
  writeCalls,
} from '../program-plan.ts'

const functions: Readonly<Record<HashFunction, string>> = {
  rev: 'const rev = (...parts) => join(parts).reverse()',
  up: 'const up = (...parts) => join(parts).map((byte) => (byte >= 97 && byte <= 122 ? byte - 32 : byte))',
  md5: "const md5 = (...parts) => createHash('md5').update(join(parts)).digest('hex')",
  sha1: "const sha1 = (...parts) => createHash('sha1').update(join(parts)).digest('hex')",
}

export function nodeProgram(plan: ProgramPlan): string {
  const { constants, hash } = plan
  return [
    ...(hash ? ["import { createHash } from 'node:crypto'", ''] : []),
    "const baseUrl = '{{base_url}}'",
    ...(plan.keyName ? ["const key = '{{key}}'"] : []),
    ...(hash ? ["const password = '{{password}}'"] : []),
    ...constants.map(({ name, text }) => `const ${camelCase(name)} = ${literal(text)}`),
    '',
    ...(hash ? ['const join = (parts) => Buffer.concat(parts.map((part) => Buffer.from(part)))'] : []),
    ...plan.functions.map((name) => functions[name]),
    ...(hash ? [`const hash = ${writeCalls(hash, { constant: camelCase, password: 'password' })}`, ''] : []),
    `const reply = await fetch(baseUrl + '${plan.path}', {`,
    `  method: '${plan.method}',`,
    ...headersOf(plan),
    `  body: ${bodyOf(plan)},`,
    '})',
    'console.log(reply.status, await reply.text())',
    '',
  ].join('\n')
}

function headersOf({ encoding, headers }: ProgramPlan): readonly string[] {
  if (encoding === 'form') return []
  const own = headers.map(([name, text]) => `, ${name}: ${literal(text)}`)
  return [`  headers: { 'content-type': 'application/json'${own.join('')} },`]
}

function bodyOf(plan: ProgramPlan): string {
  const members = plan.encoding === 'form' ? formPairs(plan.body) : plan.body
  const [first, ...others] = members
  const key = plan.keyName ? [`    ${plan.keyName}: key,`] : []
  const lines =
    plan.encoding === 'form' && first
      ? [...linesOf([first]), ...key, ...linesOf(others)]
      : [...key, ...linesOf(members)]
  const whole = ['{', ...lines, ...(plan.hash ? ['    hash,'] : []), '  }'].join('\n')
  return plan.encoding === 'form' ? `new URLSearchParams(${whole})` : `JSON.stringify(${whole})`
}

const linesOf = (members: PlannedMembers, indent = '    '): readonly string[] =>
  members.map(([name, value]) => `${indent}${memberName(name)}: ${writeValue(value, indent)},`)

const memberName = (name: string): string => (/^\w+$/.test(name) ? name : `'${name}'`)

function writeValue(value: PlannedValue, indent: string): string {
  switch (value.kind) {
    case 'constant':
      return camelCase(value.name)
    case 'text':
      return literal(value.text)
    case 'flag':
      return String(value.value)
    case 'list':
      return `[${value.texts.map(literal).join(', ')}]`
    case 'object':
      return ['{', ...linesOf(value.members, `${indent}  `), `${indent}}`].join('\n')
  }
}

const literal = (text: string): string => (text === freshOrder ? "'ORDER-' + Date.now()" : `'${text}'`)
